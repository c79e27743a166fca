"""The model behind `--semantic`, opened for one command; missing or failing, the answer by words stands."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING

from silo.edge.index.index import Index
from silo.errors import ServiceDown
from silo.jobs.run import Call

if TYPE_CHECKING:
    from silo.edge.vectors import Vectors

_BATCH_SECONDS = 3600.0


class Found:
    """`vectors` is None where no model is asked for or to be had; `notes` say why."""

    def __init__(self, vectors: Vectors | None, notes: list[str]) -> None:
        self.vectors = vectors
        self._notes = notes

    @property
    def notes(self) -> list[str]:
        """Sentences for the user."""
        return [*self._notes, *(self.vectors.notes if self.vectors is not None else ())]

    def close(self) -> None:
        """Close the file of vectors."""
        if self.vectors is not None:
            self.vectors.close()

    def __enter__(self) -> Found:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def meaning_of(call: Call, index: Index, kind: str, *, batch: bool = False) -> Found:
    """The model of that kind over an index; in a batch it takes the time that it needs to embed all lines."""
    if not kind:
        return Found(None, [])
    from silo.edge.embed import embedder
    from silo.edge.vectors import Vectors

    settings = call.config.section("semantic")
    try:
        model = embedder(kind, settings, os.environ.get("OPENAI_API_KEY", "") if kind == "openai" else "")
    except ServiceDown as error:
        return Found(None, [f"{error}; searched by words alone ({error.hint})"])
    seconds = _BATCH_SECONDS if batch else float(call.config.integer("semantic", "seconds", 20))
    return Found(Vectors(index, model, seconds=seconds), [])
