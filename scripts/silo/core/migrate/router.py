"""The router: what MEMORY.md says once the memory lies in files of its own. One managed block, the same for everybody.

Holds no fact of the person's life. What else stands in MEMORY.md is the person's, and stays.
"""

from __future__ import annotations

from silo.model import DEFAULT_AGENT

NAME = "router"
BEGIN, END = f"<!-- silo:{NAME}:begin -->", f"<!-- silo:{NAME}:end -->"
MOST_LINES = 29

_BODY = """## Where the memory is

Kept by memory-silo. This is a map, not a place for facts: those go in through the commands below.

- `memory/protocols.md`: procedures, commands and conventions. Rarely changes.
- `memory/active.md`: what has a next action, and what is waited for.
- `memory/index.md`: the list of topics. A topic's facts and their history: `memory/topics/<topic>.md`.
- `memory/events/`: what was said and decided, one file a day.
- `memory/archive.md`: finished work, people, tables for reference. Searched, not read.
- `memory/ontology/graph.jsonl`: people, organisations, projects, places, and how they are related.

At the start of a session: run `memory_cli.py context{agent}`. Where it can't be run, read protocols.md, look through
active.md, and open the archive only when a search leads there.

When something is needed: `memory_cli.py retrieve "words"`, `memory_cli.py load TOPIC`,
`memory_cli.py entity find NAME`. Search before saying that you don't know.

When something new is said: `memory_cli.py store --text "..."`. A procedure belongs to protocols, live work to
active, what is finished to the archive, a person or organisation to the graph (`memory_cli.py entity add`).
"""


def block(agent: str, newline: str = "\n") -> str:
    """The managed block with its markers, each line ended."""
    body = _BODY.replace("{agent}", "" if agent == DEFAULT_AGENT else f" --agent-id {agent}")
    return f"{BEGIN}\n{body}{END}\n".replace("\n", newline)
