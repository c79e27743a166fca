"""The words by which people, organisations, places and projects are told apart, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from silo.text.fold import fold
from silo.text.given_names import GivenNames
from silo.text.lexicon import Lexicon, split_words

_HEADINGS = ("people", "clients", "organisations", "places", "property", "profile", "tasks", "waiting")


@dataclass(frozen=True, slots=True)
class EntityWords:
    """Word lists of the `entity` and `property` tables of lang/migrate.toml, and of lang/kept.toml. Sets hold folded words."""

    headings: Lexicon  # labels: people, clients, organisations, places, property, profile, tasks, waiting
    labels: Lexicon  # labels: no_project, aliases, properties as `property.<key>`
    legal_forms: frozenset[str]  # in their own case
    contact_labels: frozenset[str]
    organisation_words: frozenset[str]
    organisation_endings: tuple[str, ...]
    place_words: frozenset[str]
    place_labels: frozenset[str]
    roles: frozenset[str]
    business_roles: frozenset[str]
    client_roles: frozenset[str]
    pets: frozenset[str]
    titles: frozenset[str]
    own_name: tuple[str, ...]
    project_columns: frozenset[str]
    is_called: tuple[str, ...]
    works_for: frozenset[str]
    works: frozenset[str]
    runs: frozenset[str]
    owners: frozenset[str]
    name_labels: frozenset[str]
    dealings: frozenset[str]
    not_a_name: frozenset[str]
    name_columns: frozenset[str]
    person_verbs: frozenset[str]
    asked: frozenset[str]
    business_verbs: frozenset[str]
    honorifics: frozenset[str]
    products: frozenset[str]
    kept: frozenset[str]
    kept_first: frozenset[str]
    kept_endings: tuple[str, ...]
    worked_on: Lexicon
    names: GivenNames

    @classmethod
    def of(
        cls, entity: Mapping[str, list[str]], properties: Mapping[str, list[str]], names: GivenNames
    ) -> EntityWords:
        """From the two tables (`entity` with the lists of lang/kept.toml in it), and the names of lang/names.toml."""

        def words(name: str) -> frozenset[str]:
            return frozenset(fold(word) for word in entity[name])

        lists = {"no_project": entity["no_project"], "aliases": entity["aliases"]}
        return cls(
            headings=Lexicon({name: entity[name] for name in _HEADINGS}),
            labels=Lexicon(lists | {f"property.{key}": values for key, values in properties.items()}),
            legal_forms=frozenset(entity["legal_forms"]),
            contact_labels=words("contact_labels"),
            organisation_words=words("organisation_words"),
            organisation_endings=tuple(sorted(entity["organisation_endings"], key=len, reverse=True)),
            place_words=words("place_words"),
            place_labels=words("place_labels"),
            roles=words("roles"),
            business_roles=words("business_roles"),
            client_roles=words("client_roles"),
            pets=words("pets"),
            titles=words("titles"),
            own_name=tuple(
                sorted((" ".join(split_words(w)) for w in entity["own_name"]), key=len, reverse=True)
            ),
            project_columns=words("project_columns"),
            is_called=tuple(sorted((fold(w) for w in entity["is_called"]), key=len, reverse=True)),
            works_for=words("works_for"),
            works=words("works"),
            runs=words("runs"),
            owners=words("owners"),
            name_labels=words("name_labels"),
            dealings=words("dealings"),
            not_a_name=words("not_a_name"),
            name_columns=words("name_columns"),
            person_verbs=words("person_verbs"),
            asked=words("asked"),
            business_verbs=words("business_verbs"),
            honorifics=words("honorifics"),
            products=words("products"),
            kept=words("kept"),
            kept_first=words("kept_first"),
            kept_endings=tuple(entity["kept_endings"]),
            worked_on=Lexicon({"worked_on": entity["worked_on"]}),
            names=names,
        )
