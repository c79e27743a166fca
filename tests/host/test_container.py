"""The jobs where the official image runs them: Debian bookworm with its python3, node and cron, nothing else; uid 1000, the
skill's folder read-only, no network. A container engine is not needed: a clean root by debootstrap, entered with chroot.

What the compose override tells its container to do is done here word for word.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from openclaw import ROOT, cache, installed

pytestmark = pytest.mark.host
STATE = "/home/node/.openclaw"
SPACE = f"{STATE}/workspace"
SKILL = f"{SPACE}/skills/memory-silo"
MIRROR = "http://deb.debian.org/debian"
KNOWN = ("Mochi", "Dr. Silva", "Lisbon", "peanuts", "metric units", "Porto")  # what tests/data/openclaw/2026.9.6 tells


def clean_root() -> Path | str:
    """The folder of a bookworm root, made once in the cache; or why there is none."""
    place, made = cache() / "debian-bookworm", cache() / "debian-bookworm.done"
    if os.getuid() != 0:
        return "needs root for chroot"
    if made.exists():
        return place
    if shutil.which("debootstrap") is None:
        return "needs debootstrap"
    shutil.rmtree(place, ignore_errors=True)
    command = ["timeout", "-k", "10", "300", "debootstrap", "--variant=minbase", "--include=python3,cron", "bookworm", str(place), MIRROR]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "debootstrap took longer than five minutes" if done.returncode == 124 else f"debootstrap failed: {done.stdout[-300:]}"
    made.touch()
    return place


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, skill_folder: Path) -> Iterator[Path]:
    """A copy of that root with node, the user node, the host's state with its sessions, and the skill that nobody can write."""
    host = installed()
    if host is None:
        pytest.skip(os.environ.get("MEMORY_SILO_HOST_TROUBLE") or "node is not installed here (.ci/run-host does)")
    clean = clean_root()
    if isinstance(clean, str):
        pytest.skip(clean)
    place = tmp_path_factory.mktemp("container") / "root"
    subprocess.run(["cp", "-a", str(clean), str(place)], check=True)
    node = Path(shutil.copy(host[0] / "node", place / "usr/local/bin/node"))
    node.chmod(0o755)  # whoever installed it may keep files to himself (umask 077)
    subprocess.run(["chroot", str(place), "useradd", "-u", "1000", "-m", "-s", "/bin/bash", "node"], check=True)
    within = place / SKILL[1:]
    within.parent.mkdir(parents=True)
    for name in ("agents", "workspace"):
        shutil.copytree(ROOT / "tests/data/openclaw/2026.9.6" / name, place / STATE[1:] / name, dirs_exist_ok=True)
    subprocess.run(["chown", "-R", "1000:1000", str(place / "home/node")], check=True)
    shutil.copytree(skill_folder, within)
    subprocess.run(["chmod", "-R", "a-w", str(within)], check=True)
    yield place
    subprocess.run(["chmod", "-R", "u+w", str(within)], check=False)


def inside(root: Path, command: str, *, user: str = "1000:1000", code: int = 0, **environ: str) -> str:
    """A command of the container's, with no network: what it prints."""
    env = [f"{key}={value}" for key, value in ({"HOME": "/home/node", "PATH": "/usr/local/bin:/usr/bin:/bin"} | environ).items()]
    words = ["unshare", "--net", "chroot", f"--userspec={user}", str(root), "env", "-i", *env, "/bin/sh", "-c", command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == code, (command, done.returncode, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


def events(root: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted((root / SPACE[1:]).glob("memory/events/*.md")))


def test_the_machine_is_what_the_image_is(root: Path) -> None:
    assert inside(root, "python3 -c 'import sys; print(*sys.version_info[:2])'").split() == ["3", "11"]
    assert inside(root, "id -u").strip() == "1000"
    for absent in ("import pip", "import yaml", "import zstandard"):
        inside(root, f"python3 -c '{absent}'", code=1)
    inside(root, f"touch {SKILL}/x", code=1)


def test_the_main_jobs_run_there(root: Path) -> None:
    inside(root, f"python3 {SKILL}/scripts/memory_cli.py init --host openclaw")
    inside(root, f"python3 {SKILL}/scripts/extract_session.py --scheduled", TZ="Europe/Lisbon")
    for words in KNOWN:
        assert words in events(root), words
    inside(root, f"python3 {SKILL}/scripts/memory_cli.py topic new cat --summary 'The cat Mochi, its vet' --tags cat,vet")
    inside(root, f"python3 {SKILL}/scripts/curate_nightly.py --scheduled", TZ="Europe/Lisbon")
    inside(root, f"python3 {SKILL}/scripts/suggest_topics.py run --scheduled", TZ="Europe/Lisbon")
    assert "Mochi" in inside(root, f"python3 {SKILL}/scripts/memory_cli.py retrieve --query 'what is my cat called?'")
    assert "cat | reference" in inside(root, f"python3 {SKILL}/scripts/memory_cli.py context")
    inside(root, f"python3 {SKILL}/scripts/memory_cli.py doctor | grep -v ^PROBLEM.*D00[67] | grep ^PROBLEM", code=1)
    owned = {path.stat().st_uid for path in (root / SPACE[1:]).rglob("*") if "skills" not in path.parts}
    assert owned == {1000}
    assert not list((root / SKILL[1:]).rglob("__pycache__"))


def test_debians_cron_runs_the_jobs_of_the_compose_file(root: Path) -> None:
    """Its crontab, made due every minute, set up and started by the command of the override."""
    crontab = root / SKILL[1:] / "cron/crontab"
    crontab.chmod(0o644)
    table = crontab.read_text(encoding="utf-8")
    crontab.write_text(re.sub(r"(?m)^(?:[\d*/,-]+\s+){5}", "* * * * *  ", table), encoding="utf-8")
    override = (ROOT / "cron/docker-compose.override.yml").read_text(encoding="utf-8")
    (command,) = re.findall(r"(?m)^ {6}- (.*cron -f)$", override)
    file = max((root / SPACE[1:]).glob("memory/events/*.md"))
    before = file.read_text(encoding="utf-8")
    file.write_text(before + "[FACT] cat: The cat's passport is in the blue folder. <!-- id:e_0000000000a1 -->\n", encoding="utf-8")
    words = ["unshare", "--net", "--pid", "--fork", "--kill-child", "chroot", str(root), "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TZ=Europe/Lisbon"]
    daemon = subprocess.Popen([*words, "/bin/sh", "-c", command.replace("$$", "$")])
    topic = root / SPACE[1:] / "memory/topics/cat.md"
    try:
        until = time.monotonic() + 200
        while time.monotonic() < until and "passport" not in topic.read_text(encoding="utf-8"):
            assert daemon.poll() is None
            time.sleep(1)
    finally:
        daemon.kill()  # cron goes with it
        daemon.wait()
    assert "passport" in topic.read_text(encoding="utf-8")
    assert "TZ=Europe/Lisbon" in (root / "var/spool/cron/crontabs/node").read_text(encoding="utf-8")
    health = inside(root, f"python3 {SKILL}/scripts/memory_cli.py status")
    assert "PROBLEM" not in health
