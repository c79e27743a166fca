#!/usr/bin/env python3
"""Disaster recovery: a memory of 50,000 facts sent to a real Turso server, then restored from it into an empty folder.

    SILO_TURSODB=/path/to/tursodb python bench/restore.py [--facts 50000]

The server is the binary of npm's turso@0.6.0 (`npm install turso@0.6.0`, node_modules/@tursodatabase/*/tursodb), on this
machine; a server elsewhere adds its distance. Needs the package cryptography, unless --rows: then the files are left out and
the log comes back from the cold rows alone. Prints seconds, what of them a processor
worked (on a busy machine that is the figure), and whether the bytes are the same.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from measure import folder, script
from words import STATEMENTS, fill

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
KEY = "c0ffee" * 10 + "beef"  # a key of this bench alone
OURS = (".silo/private", ".silo/agents", "memory")


def grown(root: Path, facts: int, seed: int) -> None:
    """Day files of so many facts, fifty a day, and two hundred topics."""
    rng = random.Random(seed)
    events = root / "memory/events"
    events.mkdir(parents=True)
    for start in range(0, facts, 50):
        day = time.strftime("%Y-%m-%d", time.gmtime(1_600_000_000 + start // 50 * 86_400))
        lines = (
            f"[FACT] topic-{rng.randrange(200)}: {fill(rng.choice(STATEMENTS), rng)} ({number}) <!-- id:e_{number:012x} conf:confirmed src:jsonl:s{number // 9}#{number} -->\n"
            for number in range(start, min(start + 50, facts))
        )
        (events / f"{day}.md").write_text(f"# Events {day}\n\n" + "".join(lines), encoding="utf-8")
    topics = root / "memory/topics"
    topics.mkdir()
    for number in range(200):
        bullets = "".join(f"- {fill(rng.choice(STATEMENTS), rng)} <!-- f_{number * 100 + n:012x} -->\n" for n in range(30))
        head = f"---\ntopic: topic-{number}\ntype: project\nstatus: active\ntags: []\nentities: []\ncreated: 2026-01-05\nlast_verified: 2026-01-05\nlast_curated: 2026-01-05\nsummary: Number {number}.\n---\n"
        text = f"{head}<!-- CURATED_START -->\n## Facts\n\n{bullets}\n## Changelog\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n<!-- SOURCE_END -->\n"
        (topics / f"topic-{number}.md").write_text(text, encoding="utf-8")


def timed(name: str, *words: str, root: Path, environ: dict[str, str], code: int = 0) -> float:
    """Seconds of one command in a process of its own."""
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        script("memory_cli.py", *words, "--workspace", str(root), "--timezone", "UTC"), env=environ, capture_output=True, text=True
    )
    seconds = time.monotonic() - started
    if done.returncode != code:
        raise SystemExit(f"{name}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{name:<44}{seconds:8.1f} s, {busy:.1f} s of a processor", flush=True)
    return seconds


def contents(root: Path) -> dict[str, bytes]:
    """The memory's files."""
    files = (path for part in OURS for path in (root / part).rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def main() -> int:
    """One run; 1 where the bytes differ or it took longer than two minutes."""
    tree = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tree.add_argument("--facts", type=int, default=50_000, help="how many (default: 50000)")
    tree.add_argument("--rows", action="store_true", help="without a key: the log comes back from the cold rows alone")
    tree.add_argument("--seed", type=int, default=1)
    tree.add_argument("--keep", metavar="DIR", help="leave what was made there")
    args = tree.parse_args()
    from tursodb import BINARY, Tursodb

    if not BINARY:
        raise SystemExit("SILO_TURSODB names no tursodb; see --help")
    with folder(args.keep) as place:
        first, other = place / "first", place / "other"
        first.mkdir()
        other.mkdir()
        grown(first, args.facts, args.seed)
        with Tursodb(place / "remote.db") as server:
            environ = {**os.environ, "TURSO_URL": server.url, "HOME": str(place), "OPENCLAW_STATE_DIR": str(place / "state")}
            environ |= {} if args.rows else {"SILO_PASSPHRASE": KEY}
            print(f"{args.facts:,} facts, {sum(map(len, contents(first).values())) / 1e6:.1f} MB, {os.cpu_count()} cores")
            timed("cold --init", "cold", "--init", root=first, environ=environ)
            timed("sync-critical, everything", "sync-critical", root=first, environ=environ, code=4 if args.rows else 0)
            timed("sync-critical, nothing new", "sync-critical", root=first, environ=environ, code=4 if args.rows else 0)
            seconds = timed("restore into an empty folder", "restore", "--from-mirror", root=other, environ=environ)
            if not args.rows:
                timed("restore --verify", "restore", "--from-mirror", "--verify", root=other, environ=environ)
        before, after = contents(first), contents(other)
        same = {name for name in before if "/events/" in name or not args.rows} == {name for name in after if before.get(name) == after[name]} - {"memory/index.md"}
        print(f"the bytes are the same: {same}")
    return 0 if same and seconds < 120 else 1


if __name__ == "__main__":
    raise SystemExit(main())
