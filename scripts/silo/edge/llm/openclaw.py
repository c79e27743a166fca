"""The engine `openclaw`: `openclaw infer model run --prompt … --json`, the host's own configured provider, no new key.

No tools, no session, no system prompt of the host's. The prompt is an argument of the program, so it may not be larger than
the kernel allows for one, and other users of the machine can see it while the program runs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess

from silo.edge.llm.http import usage_of
from silo.edge.llm.transport import Settings, Transport
from silo.formats.llm import Failure, Prompt, Reply, Why, json_values

MOST_BYTES = 120_000  # Linux allows one argument 128 KiB


class OpenClaw:
    """The host's command."""

    engine = "openclaw"
    most_bytes: int | None = MOST_BYTES
    local = False  # it hands the prompt to whatever provider the host is configured for

    def __init__(self, program: str, settings: Settings) -> None:
        self.model = settings.model
        self._program, self._wait = program, settings.wait

    @classmethod
    def make(cls, settings: Settings) -> Transport | Failure:
        """The transport, or why there is none."""
        program = shutil.which("openclaw")
        if program is None:
            return Failure(Why.MISSING, "the program openclaw is not on the PATH")
        return cls(program, settings)

    def complete(self, prompt: Prompt) -> Reply | Failure:
        """One run of the program. It is not repeated: the host tries again by itself, and each start takes seconds."""
        command = [self._program, "infer", "model", "run", "--prompt", prompt.text, "--json"]
        if self.model:
            command += ["--model", self.model]
        try:
            run = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return Failure(Why.MISSING, f"openclaw can't be run: {type(error).__name__}")
        with run:
            try:
                out, _ = run.communicate(timeout=self._wait)
            except subprocess.TimeoutExpired:
                _end(run)
                return Failure(Why.HUNG, "openclaw infer model run did not answer in time")
        for told in json_values(out.decode("utf-8", "replace")):
            outputs = told.get("outputs") if isinstance(told, dict) else None
            texts = [one.get("text") for one in outputs if isinstance(one, dict)] if isinstance(outputs, list) else []
            text = "\n".join(one for one in texts if isinstance(one, str))
            if text and told.get("ok") is not False and run.returncode == 0:
                names = [one for one in (told.get("provider"), told.get("model")) if isinstance(one, str) and one]
                return Reply(text, *usage_of(told), model="/".join(names)[:120])
        if run.returncode == 0:
            return Failure(Why.UNREADABLE, "openclaw infer model run gave no text")
        return Failure(Why.REFUSED, f"openclaw infer model run failed (exit {run.returncode})")


def _end(run: subprocess.Popen[bytes]) -> None:
    """End the program and what it has started, which are a group of their own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
