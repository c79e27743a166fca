"""One OpenClaw with its gateway, shared by the tests of this folder. Each test works on what those before it left or
on a host of its own (`fresh_host`), and says which."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conversation import TOPICS, talk
from model import Model, serve
from openclaw import ROOT, Host, installed

SKIPPED = "OpenClaw is not installed here (.ci/run-host does, from the npm registry)"


@pytest.fixture(scope="session")
def model() -> Iterator[Model]:
    """The scripted model."""
    found = Model()
    server = serve(found)
    yield found
    server.shutdown()


@pytest.fixture(scope="session")
def host_factory(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Host]:
    """Configured hosts of their own, no gateway started."""
    place = installed()
    if place is None:
        pytest.skip(os.environ.get("MEMORY_SILO_HOST_TROUBLE") or SKIPPED)
    path = ":".join([*map(str, place), "/usr/local/bin", "/usr/bin", "/bin"])

    def make(name: str) -> Host:
        host = Host(tmp_path_factory.mktemp(name), path, model)
        host.configure()
        return host

    return make


@pytest.fixture(scope="session")
def openclaw_program(host_factory: Callable[[str], Host]) -> tuple[Path, dict[str, str]]:
    """The `openclaw` executable and an environment in which it has the scripted model; no gateway is needed."""
    place = installed()
    assert place is not None
    return place[1] / "openclaw", host_factory("program").environ


@pytest.fixture(scope="session")
def host(host_factory: Callable[[str], Host]) -> Iterator[Host]:
    """The shared host, its gateway up, our skill not yet installed."""
    found = host_factory("host")
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="session")
def skill_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The skill as a user has it: the checkout's files without what .clawhubignore and git leave out."""
    folder = tmp_path_factory.mktemp("bundle") / "memory-silo"
    left_out = [line.rstrip("/") for line in (ROOT / ".clawhubignore").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", *left_out))
    for path in [folder, *folder.rglob("*")]:  # the checkout may be its owner's alone; what a registry unpacks is not
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    return folder


@pytest.fixture(scope="session")
def ready(host: Host, skill_folder: Path) -> Host:
    """The shared host with the skill installed and its workspace made ready, two topics and a private one opened."""
    host.oc("skills", "install", str(skill_folder))
    host.silo("init", "--host", "openclaw")
    for slug, (kind, summary, tags) in TOPICS.items():
        host.silo("topic", "new", slug, "--type", kind, "--summary", summary, "--tags", tags)
    host.silo("topic", "new", "health", "--private", "--summary", "Allergies, clinic, medicine", "--tags", "allergy,clinic,penicillin")
    return host


@pytest.fixture(scope="session")
def talked(ready: Host) -> Host:
    """The shared host after the conversation."""
    talk(ready)
    return ready


@pytest.fixture(scope="session")
def curated(talked: Host) -> Host:
    """... after extraction and a night."""
    talked.run("extract_session.py", "--scheduled")
    talked.run("curate_nightly.py", "--scheduled")
    return talked
