"""Suggestions for lines in Cyrillic, Han, kana and Hangul: one thing told three times is found, and called in its script."""

from __future__ import annotations

import pytest

from silo.core.suggest import Suggestion, suggest
from silo.edge.themes import load_themes
from silo.formats.events import slug_for
from silo.model import Event, Tag, TopicInfo
from silo.text.otherscripts import weighty
from silo.text.romanise import latin

THEMES = load_themes()

# title, lines of one thing in whatever cases and with whatever particles
THINGS = [
    ("Дача", ["На даче нужно заменить крышу.", "Дача под Калугой продаётся.", "Мы решили красить дачу летом.", "Для дачи купили насос."]),
    ("Маяк", ["Бюджет Маяка — 200 тысяч рублей.", "В Маяке работают Ольга и Пётр.", "Маяк стартует в сентябре."]),
    ("Теплица", ["В теплице лопнуло стекло.", "Теплицу поставили у забора.", "Дверь теплицы закрывать на ночь."]),
    ("Книга", ["Книгу отдали редактору.", "Обложка книги зелёная.", "Книга выйдет тиражом 500."]),
    ("Испанский", ["Курс испанского по средам.", "Преподаватель испанского — Мария.", "За испанский платим 900 рублей."]),
    ("民宿", ["民宿有三个房间。", "民宿的租金是每月9000元。", "我们决定把民宿的墙刷成白色。"]),
    ("清岚项目", ["清岚项目的预算是二十万。", "清岚项目的负责人是老周。", "清岚项目九月上线。"]),
    ("毕业论文", ["毕业论文的导师姓何。", "毕业论文要写八万字。", "毕业论文的初稿交了。"]),
    ("窯", ["工房の窯は900度で焼く。", "窯の棚板が割れた。", "新しい窯を注文した。"]),
    ("引っ越し", ["引っ越しは六月だ。", "引っ越しの業者はアオバ。", "引っ越しの見積もりは12万円。"]),
    ("ドローン", ["ドローンの電池は三本ある。", "ドローンは河川敷で飛ばす。", "ドローンを登録した。"]),
    ("茶室", ["茶室の畳を替える。", "茶室の掛け軸は祖父のものだ。", "茶室の炉は十一月に開く。"]),
    ("가마", ["도자기 가마는 900도에서 굽는다.", "가마 선반이 깨졌다.", "가마의 전원은 220볼트다."]),
    ("카페", ["카페 간판은 나무로 만든다.", "카페의 월세는 150만원이다.", "카페에 직원 두 명을 뽑았다."]),
    ("논문", ["논문의 제목이 정해졌다.", "논문은 여섯 장이다.", "지도교수가 논문을 읽었다."]),
]

UNRELATED = {
    "ru": "Кошка не ест сухой корм.|Поезд в Тулу отходит в 9 утра.|Пароль от почты менять раз в год.|Мама живёт на третьем этаже.|Новый велосипед синий.|"
    "Новый холодильник привезут в четверг.|Новый телефон у Пети.|Молоко берём у фермера в субботу.|Стоматолог принимает по субботам.|В субботу едем к бабушке.|"
    "Решили не менять тариф.|Решили ставить чайник на подоконник.|Решили летать без багажа.|Счётчик стоит в коридоре.|Пианино стоит у окна.|Чехол стоит 500 рублей.|"
    "Ольга любит груши.|Пётр любит шахматы.|Соседка любит тишину.|Ключ лежит под ковриком.|Паспорт лежит в сейфе.|Аптечка лежит в машине.",
    "zh": "妹妹的生日是五月三日。|公司的电梯坏了。|我们决定买新的冰箱。|我们决定不养狗。|我们决定坐飞机去。|医生说少吃盐。|猫不吃鱼。|去杭州的火车早上九点出发。|邮箱密码每年换一次。|"
    "自行车是蓝色的。|牙医周二上午看诊。|牛奶周六从农场买。|楼上的邻居在学小提琴。|小林对花生过敏。|剧院的票是第七排。|汽车保险到十月。|面包不加酵母。|狗怕鞭炮。|雨伞放在门后。|药放在抽屉。|护照放在柜子。",
    "ja": "妹の誕生日は五月三日です。|会社のエレベーターが壊れた。|新しい冷蔵庫を買うことに決めた。|犬は飼わないことに決めた。|夜は走らないことに決めた。|医者は塩を控えるように言った。|"
    "猫は魚を食べない。|京都行きの電車は朝九時に出る。|自転車は青だ。|歯医者は火曜の午前に診てくれる。|牛乳は土曜に農場で買う。|上の階の人はバイオリンを習っている。|健一はナッツのアレルギーがある。|"
    "劇場の席は七列目だ。|自動車保険は十月まで。|パンはイーストなしで焼く。|傘は玄関に置いてある。|薬は棚に置いてある。|鍵は机に置いてある。",
    "ko": "여동생의 생일은 5월 3일이다.|회사 엘리베이터가 고장났다.|새 냉장고를 사기로 결정했다.|개를 키우지 않기로 결정했다.|밤에는 뛰지 않기로 결정했다.|의사는 소금을 줄이라고 했다.|"
    "고양이는 생선을 먹지 않는다.|부산행 기차는 아침 9시에 출발한다.|자전거는 파란색이다.|치과는 화요일 오전에 진료한다.|우유는 토요일에 농장에서 산다.|위층 이웃은 바이올린을 배운다.|"
    "민수는 땅콩 알레르기가 있다.|지하실 열쇠는 문 옆에 걸려 있다.|우산은 현관에 있다.|약은 서랍에 있다.|여권은 금고에 있다.|빵은 이스트 없이 굽는다.",
}


def found(*texts: str, topics: tuple[TopicInfo, ...] = ()) -> tuple[Suggestion, ...]:
    said = [Event(f"2026-03-{1 + n % 28:02d}", Tag.FACT, "general", text, id=f"e_{n:012x}") for n, text in enumerate(texts)]
    return suggest(said, topics, THEMES)


@pytest.mark.parametrize(("title", "lines"), THINGS)
def test_lines_of_one_thing_are_one_topic_with_a_name_in_their_script(title: str, lines: list[str]) -> None:
    (only,) = found(*lines)
    assert (only.title, len(only.ids)) == (title, len(lines))
    assert only.slug == slug_for(latin(title))


@pytest.mark.parametrize(("title", "lines"), THINGS)
def test_they_are_found_among_everything_else(title: str, lines: list[str]) -> None:
    noise = [text for texts in UNRELATED.values() for text in texts.split("|")]
    (only,) = found(*noise, *lines)
    assert only.title == title
    assert {event.text for event in only.events} >= set(lines)
    assert len(only.ids) <= len(lines) + 1


@pytest.mark.parametrize(("title", "lines"), THINGS)
def test_two_lines_are_none(title: str, lines: list[str]) -> None:
    assert found(*lines[:2], "Lost the umbrella on the tram.") == ()


@pytest.mark.parametrize("texts", UNRELATED.values(), ids=UNRELATED)
def test_words_of_every_day_tie_nothing_together(texts: str) -> None:
    assert [one.title for one in found(*texts.split("|"))] == []


@pytest.mark.parametrize(("title", "lines"), THINGS)
def test_a_topic_that_is_there_is_not_suggested_again(title: str, lines: list[str]) -> None:
    (only,) = found(*lines)
    there = TopicInfo(only.slug, tags=only.words, summary=f"{title}: {title}.")
    assert found(*lines, topics=(there,)) == ()


def test_a_line_in_latin_letters_has_no_words_of_other_scripts() -> None:
    assert weighty("The kiln fires at 900 degrees; a decisão é nossa.", THEMES.scripts) == {}


@pytest.mark.parametrize(
    ("name", "read"), [("Дача", "dacha"), ("Щука и ёж", "shchuka i yozh"), ("ドローン", "doron"), ("가마", "gama"), ("窯", "u7aaf"), ("Kiln 2", "kiln 2"), ("민수's 카페", "minsu's kape")]
)
def test_a_name_is_read_out_in_latin_letters(name: str, read: str) -> None:
    assert latin(name).lower().split() == read.split()
