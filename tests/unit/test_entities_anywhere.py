"""Who and what a memory names in the middle of its lines, told by all the places where the name stands."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from silo.core.entities import query
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import Request
from silo.edge.migration_words import load_migration_words
from silo.formats.graph import parse_graph


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), "2026-04-10T12:00:00Z", "default", load_migration_words())


def found(text: str) -> dict[str, str]:
    """Name and aliases → type, of everything that the text's plan puts into the graph."""
    plan = plan_migration(text, {}, request())
    lines = "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)
    return {name: e.type for e in parse_graph(lines, query.GRAPH).entities.values() for name in e.names}


ABOUT = "# M\n\n## Odds and ends\n"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("- the piano goes to my sister Ottoline once the stairs are free", {"Ottoline": "Person"}),
        ("- ask Graham about the ladder, he still has it", {"Graham": "Person"}),
        ("- waiting for Beatriz to sign the second page", {"Beatriz": "Person"}),
        ("- a chave está com o Tó da oficina, falta ir buscá-la", {"Tó": "Person"}),
        ("- falta ligar à Odete sobre o jantar", {"Odete": "Person"}),
        ("- Marta - contabilista, só atende de manhã", {"Marta": "Person"}),
        ("- Perpétua (irmã) vive em Faro", {"Perpétua": "Person"}),
        ("- my neighbour Walt waters the tomatoes", {"Walt": "Person"}),
        ("- uncle Fergus keeps the boat papers", {"Fergus": "Person"}),
        ("- a dona Ermelinda quer a janela pintada", {"Ermelinda": "Person"}),
        ("- Wrenford, electrician, cash only", {"Wrenford": "Person"}),
        ("- the slates are ordered from Bramley Roofing, not delivered yet", {"Bramley Roofing": "Org"}),
        ("- ela trabalha na Clínica Boavista às terças", {"Clínica Boavista": "Org"}),
        ("- Serralharia Fontes: portões e grades", {"Serralharia Fontes": "Org"}),
        ("- there are two sites: Gull Cove and Otter's Reach", {"Gull Cove": "Location", "Otter's Reach": "Location"}),
        ("- a feira é na Quinta do Lago Seco, lugar 14", {"Quinta do Lago Seco": "Location"}),
        ("- Marek next door shares the uplink", {"Marek": "Person"}),
        ("- cada encomenda da Sementis vem de Beja, compramos à Vidrolux até quinta", {"Vidrolux": "Org"}),
        ("- Vera, a higienista, só às terças", {"Vera": "Person"}),
        ("- Técnico de palco: Netinho", {"Netinho": "Person"}),
        ("- надо позвонить Марине насчет ключей", {"Марина": "Person"}),
    ],
)  # fmt: skip
def test_a_name_is_told_by_what_stands_around_it(line: str, names: dict[str, str]) -> None:
    told = found(ABOUT + line + "\n")
    assert names.items() <= told.items(), told


@pytest.mark.parametrize(
    "line",
    [
        "- the newsletter goes out through Mailchimp on Monday mornings",
        "- Notion has the drafts and Slack has the rest",
        "- in April the French lessons start again",
        "- Chapter two is the hard one",
        "- Ordered two boxes, Thursday at the earliest",
        "- Reunião de segunda passou para Abril",
        "- Will there be a second coat of paint?",
        "- Grace period of ten days on the licence",
        "- Faturas em PDF, recibos em CSV",
        "- a app do Multibanco não abre no Android",
        "- Use `Marta` as the branch name, with Docker running",
        "- the heading says \"Ana and the Sea\", keep it",
        "- Python runs the nightly job, Restic runs the backup",
        "- Proxmox on the NUC, Home Assistant in a VM, Zigbee lamps",
        "- Traefik terminates TLS; Let's Encrypt renews by itself",
        "- Moved from Debian to Ubuntu, Ansible playbooks are in Gitea",
        "- Saturday needs a second driver, Sunday does not",
        "- São Paulo e Minas ficam para depois",
    ],
)  # fmt: skip
def test_a_capital_alone_makes_no_name(line: str) -> None:
    assert {n: t for n, t in found(ABOUT + line + "\n").items() if t != "Project"} == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("- 아내 이수진, 병원 근무\n- 고객님 연락은 문자로\n", {"이수진": "Person"}),
        ("- 김민호(회계사), 매달 5일\n- 도서관, 화요일 휴관\n", {"김민호": "Person"}),
        ("- 하은 작가, 낭독회 단골\n", {"하은": "Person"}),
        ("- 최가온, 꽃집 들꽃마루 운영\n- 가온 씨는 월요일 휴무\n", {"최가온": "Person", "가온": "Person"}),
        ("- 妻子李梅在医院上班\n- 周末不接电话\n", {"李梅": "Person"}),
        ("- 老周是房东,每月一号收租\n- 会计:陈静\n", {"老周": "Person", "陈静": "Person"}),
        ("- 跟张伟说好周五看房\n- 方案要先给客户看\n", {"张伟": "Person"}),
        ("- 房东王姐说要涨房租\n- 在成都开一间陶艺教室「泥巴时间」\n", {"王姐": "Person"}),
        ("- 妻の美咲は看護師\n- 隣の高橋さんに鍵を預けている\n", {"美咲": "Person", "高橋": "Person"}),
        ("- 担当:佐藤、電話は午前中\n- 業者さんは火曜日\n- お客さんには敬語で\n", {"佐藤": "Person"}),
        ("- 三浦さおり、農園を営む\n- 長女のみのり、高校二年\n- 農協の原さん、電話は昼休み\n", {"三浦さおり": "Person", "みのり": "Person", "原": "Person"}),
        ("- Сосед Николай чинит забор\n- Марине отдать ключи\n", {"Николай": "Person", "Марина": "Person"}),
    ],
)
def test_names_in_other_scripts(text: str, names: dict[str, str]) -> None:
    heading = "사람" if "가" <= text[2] <= "힣" else "Люди" if "А" <= text[2] <= "я" else "人物"
    assert {n: t for n, t in found(f"# M\n\n## {heading}\n{text}").items() if t == "Person"} == names


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("## Yards\n- Orchard yard\n    - nine hives\n    - steep track\n", "Orchard yard", "Location"),
        ("## Talhões\n| Talhão | Área | Ano |\n|---|---|---|\n| Talhão da Fonte | 2 ha | 2011 |\n", "Talhão da Fonte", "Location"),
        ("## Quem\n- Coopervale: adubo e sementes\n", "Coopervale", "Org"),
        ("## Кто\n- Муж Олег, инженер на заводе «Микрон»\n", "Микрон", "Org"),
        ("## About me\n- works at the bakery \"Rise Again\", early shift\n", "Rise Again", "Org"),
        ("## 利用者\n- りんご農園「あかね園」の主人、長野\n", "あかね園", "Org"),
        ("**Me**\nnight porter at St Aldwyn's, two days a week\n", "St Aldwyn's", "Org"),
        ("## Bits\n- the pump is at the Marlow gardens, code on the lid\n- Fausto, plumber\n", "Marlow gardens", "Location"),
        ("**On the go**\nroof repair: two quotes in, third due Friday\ncar: test runs out in June\n", "roof repair", "Project"),
        ("**On the go**\nallotment application, closes 22 May, form half written\ncar: test runs out in June\n", "allotment application", "Project"),
        ("## Estufa\n- estufa de secagem: projeto do Rui\n- falta o orçamento do plástico\n", "estufa de secagem", "Project"),
    ],
)
def test_places_firms_and_works_by_their_form(text: str, name: str, kind: str) -> None:
    assert found(f"# M\n\n{text}").get(name) == kind


def test_what_is_said_to_be_under_way_is_work_and_who_is_stuck_is_not() -> None:
    told = found(
        "# M\n\n## Work\nChapter three is the live thing. Ana Prado is stuck in Porto. The catalogue merge is on hold.\n\nO telhado novo está a meio. A Rita está parada.\n"
    )
    assert {n for n, t in told.items() if t == "Project"} == {"Chapter three", "catalogue merge", "telhado novo"}


@pytest.mark.parametrize("line", ["- disk 3 in the tower: replacement ordered, not here yet", "- cámara fría a 4 grados, falta el sello"])
def test_where_a_thing_is_and_how_warm_is_no_work(line: str) -> None:
    assert "Project" not in found(f"# M\n\n## Open\n{line}\n- [ ] call the yard\n").values()


def test_where_all_nouns_have_capitals_only_names_are_names() -> None:
    told = found(
        "# M\n\n## Wer ich bin\nAnnelie Brockhaus, Tierärztin in Husum. Mein Mann Jörn fährt zur See. Unsere Tochter Wiebke reitet im Reitverein Nordstrand.\n\n"
        "## Praxis\n- Futter kommt von der Genossenschaft, Bestellung bis Mittwoch\n- neue Helferin: Gespräch mit Frau Petersen im Juni\n- Rechnungen gehen im Ordner raus, mit Vorlage und Stempel\n"
    )
    assert told == {"Annelie Brockhaus": "Person", "Jörn": "Person", "Wiebke": "Person", "Reitverein Nordstrand": "Org"}


def test_a_heading_above_several_kinds_of_lines_is_no_work() -> None:
    text = "## Bits\n- Fausto, plumber, mornings only\n- Ilda, the gardener, cash only\n- [ ] renew the licence\n- [ ] order the jars\n"
    assert "Project" not in found(f"# M\n\n{text}").values()


@pytest.mark.parametrize(
    "line",
    [
        "- Strategy: mean reversion, Kelly sizing, Elliott waves ignored",
        "- Stripe webhooks failing, waiting on App Store review",
        "- Claude Sonnet reads the PDFs, Haiku sorts them",
        "- **Me:** your assistant, started in January",
        "- Binance returns 429 after ten calls, Alpaca does not",
    ],
)
def test_a_given_name_that_nothing_speaks_for_is_nobody_in_live_work(line: str) -> None:
    told = found(f"# M\n\n## Bot\n{line}\n- [ ] Kalman filter for the spread\n")
    assert {n: t for n, t in told.items() if t != "Project"} == {}


def test_what_is_said_in_one_place_speaks_for_the_name_in_another() -> None:
    told = found("# M\n\n- Corvina wants the keys back\n- call Corvina on Friday\n- the van is with Corvina until June\n")
    assert told.get("Corvina") == "Person"


def test_a_town_behind_where_somebody_works_is_nobody() -> None:
    told = found("# M\n\n## Pessoas\n- Leonor Sabrosa, dona da Quinta da Pedra, Carmo de Minas\n- na cozinha: Lurdes, Carmo\n")
    assert told.get("Carmo de Minas") is None
    assert told.get("Lurdes") == "Person"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("- Aparecida Monteiro Luz (Cida), dona da quinta", {"Aparecida Monteiro Luz", "Cida"}),
        ("- Zeferino (Zé Fino), mecânico", {"Zeferino", "Zé Fino"}),
        ("- Marta Quill (Acme), buyer", {"Marta Quill"}),
    ],
)
def test_what_stands_in_brackets_is_what_they_are_called_or_not(line: str, names: set[str]) -> None:
    assert {n for n, t in found(f"# M\n\n## People\n{line}\n").items() if t == "Person"} == names


def test_a_first_name_joins_the_one_full_name() -> None:
    told = found("# M\n\n## People\n- Leonor Sabrosa, potter\n\n## Open\n- [ ] call Leonor about the kiln\n")
    assert told == {"Leonor Sabrosa": "Person", "Leonor": "Person"}


def test_who_is_named_only_in_what_is_over_stays_out_of_the_graph() -> None:
    told = found("# M\n\n## History 2023\n- 2023-04-02: lunch with Gwen, moved house\n- 2023-05-09: sold the old car\n")
    assert "Gwen" not in told


@pytest.mark.parametrize(
    ("homes", "called"),
    [
        (("5 Rowan Terrace", "2A Hadley Court", "Hazel Cottage"), ("Rowan", "Hadley", "Hazel")),
        (("14 Basil Row", "9 Penrose Lane", "Daisy Cottage"), ("Basil", "Penrose", "Daisy")),
    ],
)
def test_a_house_that_is_called_by_one_word_of_its_name_is_nobody(homes: tuple[str, ...], called: tuple[str, ...]) -> None:
    rows = "".join(f"| {home} | {rent} |\n" for home, rent in zip(homes, (925, 780, 1100), strict=True))
    told = "".join(f"- {one}: {said}\n" for one, said in zip(called, ("damp patch in the back bedroom", "the rent is 11 days late", "gas certificate due before 30 June"), strict=True))
    text = f"# Memory\n\n## House\n| Property | Rent |\n|---|---|\n{rows}\nOpen at the houses:\n{told}"
    assert {name for name, kind in found(text).items() if kind == "Person"} == set()


@pytest.mark.parametrize("label", ["Mill Street 4", "Hill Road 9b", "Rua das Flores 22", "Calle Mayor 3"])
def test_a_house_with_work_to_do_is_a_place(label: str) -> None:
    assert found(f"# M\n\n## Open work\n- {label}: waiting for the second quote, to do before June\n") == {label: "Location"}


@pytest.mark.parametrize("label", ["Cellar move", "Bridge Phase 2", "Release 4"])
def test_a_number_behind_a_name_makes_no_address(label: str) -> None:
    assert "Location" not in found(f"# M\n\n## Open work\n- {label}: waiting for the second quote, to do before June\n").values()


def test_who_sells_what_comes_through_a_pipe_or_a_wire_is_an_organisation() -> None:
    text = "# M\n\n## People\n- Brightside Gas: emergency line 0800 555 0101\n- Águas do Vale Verde: leitura ao dia 5\n- Sunita Raivel: landlady\n"
    assert found(text) == {"Brightside Gas": "Org", "Águas do Vale Verde": "Org", "Sunita Raivel": "Person"}
