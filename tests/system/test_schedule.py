"""Schedules and the hook: what is printed, what is installed, what is taken out, and that each line does what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from command import Home
from silo.core.schedule import JOBS, Place, add_command, ours

ROOT = Path(__file__).resolve().parents[2]
CRONTAB = (ROOT / "cron" / "crontab").read_text(encoding="utf-8")
LINE = re.compile(r"((?:\S+\s+){4}\S+)\s+(.*)")
FAKE = """\
#!{python}
import json, pathlib, sys
store = pathlib.Path({store!r})
jobs = json.loads(store.read_text()) if store.exists() else []
words = sys.argv[1:]
if words[:2] == ["cron", "add"]:
    given = dict(zip(words, words[1:]))
    key = given["--declaration-key"]
    old = [job for job in jobs if job["declarationKey"] == key]
    job = old[0] if old else {{"id": f"id-{{len(jobs)}}", "declarationKey": key}}
    job["payload"] = {{"kind": "command", "argv": json.loads(given["--command-argv"])}}
    jobs += [] if old else [job]
    print("a line of chatter\\n" + json.dumps({{"created": not old, "job": job}}))
elif words[:2] == ["cron", "list"]:
    print(json.dumps({{"jobs": jobs}}))
elif words[:2] == ["cron", "rm"]:
    jobs = [job for job in jobs if job["id"] != words[2]]
    print("{{}}")
else:
    sys.exit(9)
store.write_text(json.dumps(jobs))
"""


def crontab_lines() -> list[tuple[str, str]]:
    lines = [line for line in CRONTAB.splitlines() if line and not line.startswith("#") and not re.match(r"[A-Z_]+=", line)]
    return [(hit[1], hit[2]) for line in lines if (hit := LINE.fullmatch(line))]


def variables() -> dict[str, str]:
    return dict(re.findall(r"^([A-Z_]+)=(.*)$", CRONTAB, re.M))


# --- cron ---


def talk(state: Path, at: datetime) -> None:
    """A session of the host in which something was said at that time."""
    folder = state / "agents/main/sessions"
    folder.mkdir(parents=True)
    ident, stamp = "8d9001d3-2c6a-403d-8592-1a77115050f3", int(at.timestamp() * 1000)
    said = {"role": "user", "content": "Remember this: the garden tap has to be closed before the frost.", "timestamp": stamp}
    rows = [
        {"type": "session", "version": 3, "id": ident, "timestamp": at.isoformat()},
        {"type": "message", "id": "864473ff", "parentId": None, "timestamp": at.isoformat(), "message": said},
    ]
    (folder / f"{ident}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    entry = {"agent:main:main": {"sessionId": ident, "updatedAt": stamp, "chatType": "direct"}}
    (folder / "sessions.json").write_text(json.dumps(entry), encoding="utf-8")


def test_crontab_and_the_hosts_schedule_say_the_same() -> None:
    wanted = [(job.cron.split(), " ".join(['"$PYTHON"', f'"$SILO/{job.script}"', *job.args])) for job in JOBS]
    assert [(when.split(), command) for when, command in crontab_lines()] == wanted


@pytest.mark.parametrize(("when", "command"), crontab_lines())
def test_each_line_runs_under_an_empty_environment(tmp_path: Path, when: str, command: str) -> None:
    for field, most in zip(when.split(), (59, 23, 31, 12, 7), strict=True):
        assert all(part == "*" or part.isdecimal() for part in re.split(r"[/,-]", field))
        assert all(int(number) <= most for number in re.findall(r"\d+", field))
    assert "%" not in command  # cron would read it as the end of the line
    home = Home(tmp_path)
    home.events("2026-03-09", "[FACT] garden: The gate is green. <!-- id:e_000000000001 -->")
    home.topic("garden")
    talk(tmp_path / ".openclaw", datetime.now(UTC) - timedelta(days=1))
    skill = tmp_path / "the skill"
    skill.symlink_to(ROOT, target_is_directory=True)
    given = variables() | {"SILO": str(skill / "scripts"), "PYTHON": sys.executable, "OPENCLAW_WORKSPACE_DIR": str(tmp_path)}
    assert given.keys() == variables().keys()
    words = ["env", "-i", f"HOME={tmp_path}", "SHELL=/bin/sh", "PATH=/usr/bin:/bin", *(f"{k}={v}" for k, v in given.items()), "/bin/sh", "-c", command]
    for _ in range(2):
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/")
        assert done.returncode == 0, done.stderr
        assert "PROBLEM" not in done.stdout + done.stderr
    if "extract" in command:
        assert len(list((tmp_path / "memory/events").iterdir())) > 1
    if "curate" in command:
        assert home.facts("garden") == ["The gate is green."]


@pytest.mark.cron
def test_a_real_cron_daemon_runs_the_line(tmp_path: Path) -> None:
    """Debian's cron reads a crontab of ours, made due every minute, and the fact is in its topic."""
    daemon = shutil.which("cron", path="/usr/sbin:/usr/bin")
    if os.getuid() != 0 or daemon is None:
        pytest.skip("needs root and Debian's cron")
    if subprocess.run(["pgrep", "-x", "cron"], capture_output=True, check=False).returncode == 0:
        pytest.skip("a cron daemon of this machine is running: it is not ours to feed")
    home = Home(tmp_path)
    home.topic("garden")
    home.events("2026-03-09", "[FACT] garden: The gate is green. <!-- id:e_000000000001 -->")
    (command,) = [command for _, command in crontab_lines() if "curate" in command]
    given = variables() | {"SILO": str(ROOT / "scripts"), "PYTHON": sys.executable, "OPENCLAW_WORKSPACE_DIR": str(tmp_path)}
    table = Path("/etc/cron.d/memory-silo-test")
    table.write_text("".join(f"{k}={v}\n" for k, v in given.items()) + f"* * * * * root {command}\n", encoding="utf-8")
    table.chmod(0o644)
    process = subprocess.Popen([daemon, "-f"])
    try:
        until = time.monotonic() + 130
        while time.monotonic() < until and home.facts("garden") != ["The gate is green."]:
            time.sleep(1)
    finally:
        table.unlink()
        process.terminate()
        process.wait()
    assert home.facts("garden") == ["The gate is green."]


def test_compose_override_mounts_what_the_crontab_names() -> None:
    yaml = pytest.importorskip("yaml")
    value = yaml.safe_load((ROOT / "cron" / "docker-compose.override.yml").read_text(encoding="utf-8"))
    (service,) = value["services"].values()
    mounted = [volume.removesuffix(":ro").rpartition(":")[2] for volume in service["volumes"]]
    assert f"{variables()['SILO'].removesuffix('/scripts')}:ro" in service["volumes"][-1]
    assert variables()["OPENCLAW_WORKSPACE_DIR"] in mounted
    assert variables()["SILO"] == f"{variables()['OPENCLAW_WORKSPACE_DIR']}/skills/memory-silo/scripts"
    assert variables()["SILO"].replace("/scripts", "/cron/crontab") in " ".join(service["command"])


# --- the host's scheduler ---


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host's command line that keeps its jobs in a file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    store = tmp_path / "jobs.json"
    program = folder / "openclaw"
    program.write_text(FAKE.format(python=sys.executable, store=str(store)), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(Home, "path", f"{folder}:/usr/bin:/bin", raising=False)
    return store


def test_schedule_prints_first_installs_once_and_takes_out_its_own(tmp_path: Path, host: Path) -> None:
    home = Home(tmp_path / "w")
    home.root.mkdir()
    shown = home.run("init", "--schedule")
    assert shown.count("openclaw cron add") == len(JOBS)
    assert "--no-deliver" in shown
    assert not host.exists()
    home.run("init", "--schedule", "--yes")
    home.run("init", "--schedule", "--yes")
    jobs = json.loads(host.read_text(encoding="utf-8"))
    assert [job["declarationKey"] for job in jobs] == [job.key for job in JOBS]
    for job in jobs:
        assert Path(job["payload"]["argv"][1]).is_file()
        assert job["payload"]["argv"][-2:] == ["--workspace", str(home.root)]
    jobs += [{"id": "other", "declarationKey": "memory-core:dreaming"}, {"id": "plain"}, {"id": "x", "declarationKey": "memory-silo:mine"}]
    host.write_text(json.dumps(jobs), encoding="utf-8")
    assert "would be removed" in home.run("init", "--remove", "--dry-run")
    home.run("init", "--remove")
    assert [job["id"] for job in json.loads(host.read_text(encoding="utf-8"))] == ["other", "plain", "x"]
    assert "nothing of ours" in home.run("init", "--remove")


@pytest.mark.parametrize("project", [False, True])
def test_without_a_host_the_lines_for_a_crontab_are_printed_and_run_as_they_are(tmp_path: Path, project: bool) -> None:
    home = Home(tmp_path / "50% mine, café's")
    home.root.mkdir()
    home.events("2026-03-09", "[FACT] garden: The gate is green. <!-- id:e_000000000001 -->")
    home.topic("garden")
    shown = home.run("init", "--schedule", *(["--host", "claude-code"] if project else []))
    lines = [hit for line in shown.splitlines() if (hit := LINE.fullmatch(line)) and re.match(r"[*\d]", line)]
    assert [hit[1].split() for hit in lines] == [job.cron.split() for job in JOBS]
    assert ("openclaw cron add" in shown) is not project
    assert ("memory_cli.py save --scheduled" in shown) is project
    talk(tmp_path / ".openclaw", datetime.now(UTC) - timedelta(days=1))
    for hit in lines[project:]:  # `save` knows whose conversations to read where the project's own block was put
        command = re.sub(r"\\%", "\x00", hit[2])
        assert "%" not in command  # what cron would read as the end of the line
        command = command.replace("\x00", "%")
        words = ["env", "-i", f"HOME={tmp_path}", "PATH=/usr/bin:/bin", "/bin/sh", "-c", command]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/")
        assert (done.returncode, "PROBLEM" in done.stdout + done.stderr) == (0, False), done.stderr
    assert "The gate is green." in home.facts("garden")
    if project:
        assert "no scheduler" in home.run("init", "--schedule", "--host", "claude-code", "--yes", code=2)


def test_two_workspaces_of_one_host_have_jobs_of_their_own(tmp_path: Path, host: Path) -> None:
    first, second = Home(tmp_path / "one"), Home(tmp_path / "two words")
    for home in (first, second, first, second):
        home.root.mkdir(exist_ok=True)
        home.run("init", "--schedule", "--yes")
    jobs = json.loads(host.read_text(encoding="utf-8"))
    of = {home.root: [job for job in jobs if job["payload"]["argv"][-1] == str(home.root)] for home in (first, second)}
    assert [len(found) for found in of.values()] == [len(JOBS), len(JOBS)]
    assert len({job["declarationKey"] for job in jobs}) == 2 * len(JOBS)
    assert [job["declarationKey"] for job in of[first.root]] == [job.key for job in JOBS]
    second.run("init", "--remove")
    assert json.loads(host.read_text(encoding="utf-8")) == of[first.root]
    second.run("init", "--schedule", "--yes")
    first.run("init", "--remove")
    second.run("init", "--schedule", "--yes")  # its keys stay its keys, though the plain ones are free now
    left = json.loads(host.read_text(encoding="utf-8"))
    assert [job["payload"]["argv"][-1] for job in left] == [str(second.root)] * len(JOBS)
    assert "nothing of ours" in first.run("init", "--remove")


def test_without_the_host_the_commands_are_printed_and_installing_says_so(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert "openclaw cron add" in home.run("init", "--schedule")
    guide = home.run("init", "--host", "openclaw")
    assert guide.count("JOB openclaw cron add") == len(JOBS)
    assert "openclaw hooks enable memory-silo" in guide
    assert [p.name for p in tmp_path.iterdir() if p.name not in ("memory", ".silo")] == []
    assert "not on the PATH" in home.run("init", "--schedule", "--yes", code=4)
    assert "nothing of ours" in home.run("init", "--remove")
    assert "three commands" in home.run("init", "--schedule", "--hooks", code=2)


def test_the_commands_name_the_zone_and_lists_are_read_in_both_shapes() -> None:
    command = add_command(JOBS[1], Place("/usr/bin/python3", "/s", "/w", "Europe/Lisbon"))
    assert command[command.index("--tz") + 1] == "Europe/Lisbon"
    assert "--tz" not in add_command(JOBS[1], Place("/usr/bin/python3", "/s", "/w"))
    row = {"id": "1", "declarationKey": "memory-silo:curate"}
    assert ours([row], "/w") == ours({"jobs": [row, "odd", {"id": 3, "declarationKey": "memory-silo:extract"}]}, "/w") == {"memory-silo:curate": "1"}
    assert ours(None, "/w") == {}


# --- the hook ---


def test_the_hook_is_put_in_place_and_taken_out_unless_it_was_edited(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.run("init", "--hooks", "--dry-run")
    assert not (tmp_path / "hooks").exists()
    home.run("init", "--hooks")
    silo = json.loads(home.read("hooks/memory-silo/silo.json"))
    assert Path(silo["scripts"], "extract_session.py").is_file()
    assert silo["workspace"] == str(tmp_path)
    home.run("init", "--hooks")
    home.run("init", "--remove", "--dry-run")
    assert (tmp_path / "hooks/memory-silo/handler.js").exists()
    home.run("init", "--remove")
    assert not (tmp_path / "hooks").exists()
    home.run("init", "--hooks")
    home.write("hooks/memory-silo/HOOK.md", "mine\n")
    told = home.run("init", "--remove")
    assert "HOOK.md is not as it was written; it stays" in told
    assert [p.name for p in (tmp_path / "hooks/memory-silo").iterdir()] == ["HOOK.md"]


NODE = """\
import handler, {{ planned, settings }} from {handler!r};
const silo = settings({folder!r});
const events = {events};
const plans = events.map((event) => planned(event, silo));
const files = [];
const boot = {{ type: "agent", action: "bootstrap", sessionKey: "agent:main:main", context: {{ bootstrapFiles: files, agentId: "main" }} }};
handler(boot, silo);
handler({{ type: "command", action: "reset", sessionKey: "agent:main:main", context: {{}} }}, silo);
handler(boot, {{ ...silo, python: "/nowhere/python" }});
handler(undefined, silo);
console.log(JSON.stringify({{ plans, files, none: planned(boot, settings("/nowhere")) }}));
"""


def test_the_handler_does_the_right_thing_for_each_event(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    home = Home(tmp_path / "w")
    home.topic("garden", "- The gate is green.")
    home.run("init", "--hooks")
    folder = home.root / "hooks/memory-silo"
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")
    kinds = [
        ("command", "reset", "agent:main:main", "main"),
        ("command", "new", "agent:work:telegram:direct:1", "work"),
        ("session", "compact:before", "agent:main:main", "main"),
        ("session", "auto-reset", "agent:main:main", "../x"),
        ("command", "stop", "agent:main:main", "main"),
        ("command", "reset", "agent:main:cron:1:run:2", "main"),
        ("command", "reset", "agent:main:subagent:1", "main"),
    ]
    place = str(home.root)
    events: list[dict[str, object]] = [
        {"type": t, "action": a, "sessionKey": k, "context": {"agentId": g, "workspaceDir": place}} for t, a, k, g in kinds
    ]
    events.append({"type": "agent", "action": "bootstrap", "sessionKey": "agent:main:slack:group:9", "context": {"agentId": "main", "bootstrapFiles": []}})
    events.append({"type": "agent", "action": "bootstrap", "sessionKey": "agent:main:main", "context": {}})
    compacted = {"type": "session", "action": "compact:before", "sessionKey": "agent:work:main", "context": {"sessionId": "1"}}
    elsewhere = {"workspaceDir": str(tmp_path), "bootstrapFiles": []}
    events += [compacted, {"type": "agent", "action": "bootstrap", "sessionKey": "agent:work:main", "context": elsewhere}, compacted]
    script = tmp_path / "run.mjs"
    script.write_text(NODE.format(handler=str(folder / "handler.js"), folder=str(folder), events=json.dumps(events)), encoding="utf-8")
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OPENCLAW_STATE_DIR": str(tmp_path / "state")}
    done = subprocess.run([node, str(script)], capture_output=True, text=True, check=False, env=environ)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    space = ["--workspace", str(home.root)]
    args = ["--scheduled", "--quiet", *space]
    sweep = {"script": "extract_session.py", "args": args, "wait": False}
    assert found["plans"][:4] == [sweep, {**sweep, "args": [*args, "--agent-id", "work"]}, sweep, sweep]
    assert found["plans"][4:7] == [None, None, None]
    assert found["plans"][7]["args"] == ["context", "--audience", "group", *space]
    assert found["plans"][8] is None
    assert found["plans"][9]["args"] == [*args, "--agent-id", "work"]  # seen in this workspace before
    assert found["plans"][10:] == [None, None]  # it has a workspace of its own now
    assert found["none"] is None
    (only,) = found["files"]
    assert (only["name"], only["missing"]) == ("MEMORY-SILO.md", False)
    assert "garden" in only["content"]
