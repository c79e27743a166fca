"""The jobs behind `validate` and `extract-metadata`: what notes leave out, and what they carry along. Both only read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from silo.core.completeness import Lack, lacks, suggestions
from silo.edge.distil_words import load_distil_words
from silo.errors import BadInput
from silo.formats.warm import MOST
from silo.jobs.run import Call, Report
from silo.text.addresses import addresses
from silo.text.distil_words import COMPLETE
from silo.text.redact import redact


def validate(call: Call, file: str | None) -> Report:
    """Warnings over one file, or over today's daily notes; exit 1 where there are any.

    Raises:
        BadInput: the file can't be read, or the configuration's lists are no lists of words.
    """
    words = load_distil_words(_own_lists(call))
    paths = [_place(call, file)] if file else sorted((call.config.workspace / "memory").glob(f"{call.today.isoformat()}*.md"))
    found: list[tuple[str, Lack]] = []
    for path in paths:
        shown = _shown(call, path)
        found += [(shown, one) for one in lacks(redact(_read(path))[0], words)]
    warnings = [one.message for _, one in found]
    data = {
        "status": "warning" if found else "ok",
        "warnings_count": len(found),
        "warnings": warnings,
        "suggestions": list(suggestions(tuple(one for _, one in found))),
        "files": [_shown(call, path) for path in paths],
        "findings": [{"file": name, "line": one.line, "missing": one.kind.value, "what": one.what} for name, one in found],
    }
    report = Report(data=data, published=data, code=1 if found else 0)
    report.lines = [f"{name}:{one.line} {one.message}" for name, one in found]
    report.lines += [f"NEXT {line}" for line in suggestions(tuple(one for _, one in found))]
    if not paths:
        report.lines.append(f"OK there is no daily note of {call.today.isoformat()}; --file FILE checks another")
    elif not found:
        report.lines.append(f"OK {', '.join(_shown(call, path) for path in paths)}: nothing is left out")
    return report


def extract_metadata(call: Call, file: str, *, every: bool) -> Report:
    """Addresses, commands and paths of a file, as many as published unless `every` is asked for; secrets replaced.

    Raises:
        BadInput: the file can't be read.
    """
    path = _place(call, file)
    found = addresses(redact(_read(path))[0])
    whole: dict[str, list[str]] = {"urls": list(found.urls), "commands": list(found.commands), "paths": list(found.paths)}
    listed = whole if every else {name: values[: MOST[name]] for name, values in whole.items()}
    data = {
        "file": _shown(call, path),
        "metadata": listed,
        "summary": {f"{name}_count": len(values) for name, values in listed.items()},
        "total": {f"{name}_count": len(values) for name, values in whole.items()},
    }
    report = Report(data=data, published=data)
    for name, values in listed.items():
        report.lines += [f"{name[:-1]} {value}" for value in values]
        if len(whole[name]) > len(values):
            report.lines.append(f"NOTE {len(whole[name]) - len(values)} more {name}; --all lists them")
    report.lines = report.lines or [f"OK {data['file']} holds no address, command or path"]
    return report


def _own_lists(call: Call) -> Mapping[str, Sequence[str]]:
    """A person's own lists of words, `validation.nouns` and so on, in place of ours."""
    own: dict[str, Sequence[str]] = {}
    for name, value in call.config.section("validation").items():
        if name not in COMPLETE or not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise BadInput(f"validation.{name} of the configuration is no list of words", f"use one of {', '.join(COMPLETE)}, each a list")
        own[name] = value
    return own


def _place(call: Call, file: str) -> Path:
    """Relative to where the command was called, else to the workspace."""
    given = Path(file).expanduser()
    return given if given.is_absolute() or given.exists() else call.config.workspace / given


def _shown(call: Call, path: Path) -> str:
    try:
        return path.resolve().relative_to(call.config.workspace.resolve()).as_posix()
    except ValueError:
        return str(path)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadInput(f"{path}:1: can't be read: {error.strerror or error}", "name a text file, in the workspace or by its full path") from None
