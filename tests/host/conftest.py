"""One OpenClaw with its gateway, shared by the tests of this folder. Each test works on what those before it left or
on a host of its own (`fresh_host`), and says which."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model import Model, serve
from openclaw import Host, installed

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
