"""The archive: one protocol, a store in a local SQLite file, one at a Turso server, one in memory."""
