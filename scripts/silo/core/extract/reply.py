"""What a sentence of the owner does to the assistant's last words."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NONE", "Reply"]


@dataclass(frozen=True, slots=True)
class Reply:
    """kind: "accept" (text = the proposal's content), "choose" (text = the option), "open" (an option, which can't be told), "reject", "decline" (turned down with a
    reason that stays true; text = both), "answer" (text = the owner's own words), "none". `label` is what it is about, `rest`
    the words of the sentence still to be read, `change` the words that put another value into what was accepted ("yes but
    at 19:30")."""

    kind: str
    text: str = ""
    label: str = ""
    rest: str = ""
    change: str = ""
    more: tuple[str, ...] = ()  # what else was proposed in the same breath


NONE = Reply("none")
