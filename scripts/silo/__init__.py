"""memory-silo: plain-file memory for a personal assistant. See references/formats.md for what is on disk."""

__version__ = "0.1.0"
