#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""Every other verb: store, retrieve, load, context, topic, why, log, undo, doctor. See --help."""

import sys
from pathlib import Path

if sys.version_info < (3, 11):
    sys.stderr.write(f"memory-silo needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}.\n")
    raise SystemExit(2)

HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:  # python -I and -P leave the script's own folder out
    sys.path.insert(0, HERE)

if __name__ == "__main__":
    from silo.cli.start import keep_bytecode, spare_collector

    keep_bytecode()
    spare_collector()
    from silo.cli.memory import main

    raise SystemExit(main())
