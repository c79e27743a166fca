"""People and firms in lines of Chinese, Japanese and Korean, where no capital tells a name.

By what stands beside them: a role or kinship, a form of address, whom one asks or writes to, a family name that leads a line
of a list of people. Gives what is sure enough alone; knows nothing of the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from silo.core.entities.mention import Mention
from silo.core.migrate.evidence import Tier
from silo.text.entity_words import EntityWords

_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u9fff]")
_MARK = re.compile(r"[\s\-*+•>]*(?:\d{1,3}[.)、]\s*)?(?:\[[ xX]?\]\s*)?")
_END = r"(?=[\s，,。；;、！？!?（()）:：「」—-]|$"

# Japanese
_CALLED = re.compile(r"([\u3400-\u9fff々]{2,4}|[\u30a0-\u30ff]{2,8})(?:さん|氏|様|くん|君|ちゃん|先生)")
_ONE_CHARACTER = re.compile("(?:^|[の、。（(\\s])([原林森関岡南東堤辻谷星泉菅柳島浜金今牧堀滝])さん")
_FULL_NAME = re.compile(r"([\u4e00-\u9fff々]{1,3} ?[ぁ-ん]{2,4}|[\u4e00-\u9fff々]{3,5}|[\u4e00-\u9fff々]{1,3} [\u4e00-\u9fff々]{1,3})(?=[、,（(])")
_NOBODY_JA = frozenset(
    "皆 客 業者 患者 大家 職人 本屋 花屋 魚屋 肉屋 店員 生徒 学生 子供 息子 旦那 管理人 運転手 配達員 主人 医者 先輩 記者 隣人 住人 役所 店主 社員 係員 担当者 看護師 保護者 利用者 参加者 農家 大工 園長 院長 社長 部長 店長 課長 校長 会長 組合 銀行 お客 取引先".split()  # noqa: SIM905
)
# Chinese
_TITLES_ZH = "先生|女士|小姐|老师|师傅|医生|大夫|经理|总监|律师|教授|主任|校长|老板|太太|阿姨|叔叔|大哥|大姐|哥|姐|叔|姨|總|老師|師傅|醫生|經理"
_ASK_ZH = "跟|和|给|找|请|问|让|联系|等|告诉|约|通知|提醒|陪|帮|送|还给|寄给|發給|发给|問|請|聯絡|聯繫|給"
_AFTER_ZH = "的|在|是|和|说|負責|负责|要|会|想|给|来|做|管|教|住|也|每|已|还|没|今|明|下|周|上|说好|答应|回复|帮|同意|确认|介绍|问|送|喜|只|不|从|去|有"
_WORDS_ZH = frozenset("周一 周二 周三 周四 周五 周六 周日 周末 周年 方案 方法 方便 方向 高级 高度 马上 白天 白色 黄色 金色 金额 程序 许可 许多 万一 顾客 毛病 钱包 石材 夏天 夏季 江边 张贴 汤锅 雷雨 龙虾 秦岭 孔径 武器 田地 林地 金属 马路 马达 叶子 石头 水管 白板".split())  # noqa: SIM905
# Korean
_PARTICLES = re.compile(r"(?:에게서|한테서|이랑|께서|에게|한테|하고|으로|은|는|이|가|을|를|께|와|과|의|도|랑|만|에|로)$")
_TOKEN_KO = re.compile(r"[가-힣]+")
_WORDS_KO = frozenset(
    "고객 손님 도서관 이것저것 고양이 강아지 오전 오후 주말 주차장 전기차 유치원 정기적 안내문 주문서 이메일 전화기 문의처 공구함 소화기 이용자 정비소 고구마 감자 안경점 신문사 우체국 주민센터 구청 시청 여행사 편의점 노트북 공유기 이어폰 신분증 정수기 선풍기 임대료 관리비 우유 문서 한국 서울 부산 이번 지난 다음 모임 남은 최근 전체 기타 정리 예약 주문 배송 연락 문자 전화 이름 직원 사람 전주 수원 성남 원주 강릉 주소 기본 현재 이후 이전 신규 하루 매일".split()  # noqa: SIM905
)
_SHOPS_KO = "서점|책방|카페|식당|가게|회사|학원|병원|의원|치과|약국|출판사|미용실|빵집|공방|농장|스튜디오|학교|유치원|어린이집|마트|세탁소|정비소|사무소|업체|호텔|펜션|민박|극단|밴드|협회"
_SHOP_NAME = re.compile(rf"(?:^|[\s,(])\S{{0,4}}(?:{_SHOPS_KO}) [‘'\"「]?([가-힣A-Za-z]{{2,10}})[’'\"」]?(?:을|를|에서|에|의)? ?(?:운영|대표|사장|근무|다님|경영|일함|재직|주인|창업|직원)")


def unspaced(text: str, line: int, tier: Tier, kind: str, words: EntityWords, *, japanese: bool) -> Iterator[Mention]:
    """The people and firms of a line in a script without capitals. `japanese`: the file holds kana."""
    if tier is Tier.ARCHIVE or not (_HAN.search(text) or _HANGUL.search(text)):
        return
    plain = re.sub(r"`[^`]*`|\*\*|__|\[\[|\]\]", "", text)
    plain = _MARK.sub("", plain, count=1)
    if _HANGUL.search(plain):
        yield from _korean(plain, line, tier, kind, words)
    elif japanese:
        yield from _japanese(plain, line, kind, words)
    else:
        yield from _chinese(plain, line, tier, words)


@lru_cache(maxsize=4)
def _in_han(roles: frozenset[str]) -> str:
    """The roles that are written in Han characters, as alternatives of a pattern."""
    found = {r for r in roles if _HAN.search(r)}
    return "|".join(sorted((re.escape(r) for r in found), key=len, reverse=True))


def _japanese(text: str, line: int, kind: str, words: EntityWords) -> Iterator[Mention]:
    seen: set[str] = set()
    for hit in _CALLED.finditer(text):
        name = re.sub(rf"^(?:{_in_han(words.roles)})(?=[\u3400-\u9fff]{{2}})", "", hit[1])
        if name not in _NOBODY_JA and name not in words.roles and name not in seen:
            seen.add(name)
            yield Mention(name, "person", line)
    for hit in _ONE_CHARACTER.finditer(text):
        if hit[1] not in seen:
            seen.add(hit[1])
            yield Mention(hit[1], "person", line)
    if kind in ("people", "profile") and (lead := _FULL_NAME.match(text)) and "の" not in lead[1] and lead[1] not in seen | words.roles:
        seen.add(lead[1])
        yield Mention(lead[1], "person", line)
    for hit in re.finditer(rf"({_in_han(words.roles)})の([ぁ-ん]{{2,4}}){_END})", text):
        seen.add(hit[2])
        yield Mention(hit[2], "person", line, (("role", hit[1]),))
    role = rf"({_in_han(words.roles)})(?:の|は|が|[:：]\s*|\s)([\u3400-\u9fff々]{{2,4}}|[\u30a0-\u30ff]{{2,8}}){_END}|さん|が|は|を|に|と|も)"
    for hit in re.finditer(role, text):
        if hit[2] not in seen and hit[2] not in words.roles and hit[2] not in _NOBODY_JA and not hit[2].endswith(words.organisation_endings):
            seen.add(hit[2])
            yield Mention(hit[2], "person", line, (("role", hit[1]),))


def _chinese(text: str, line: int, tier: Tier, words: EntityWords) -> Iterator[Mention]:
    family = "".join(words.names.chinese)
    name = rf"([{family}][\u4e00-\u9fff]{{2}}|[{family}][\u4e00-\u9fff]|[老小阿][\u4e00-\u9fff])"
    after = rf"{_END}|{_AFTER_ZH})"
    patterns = [
        rf"(?:{_in_han(words.roles)})(?:是|叫|[:：]|\s)?\s*{name}{after}",
        rf"(?:{_ASK_ZH}){name}{after}",
        rf"(?:^|[，,。；;、\s]){name}(?=[（(]?(?:{_in_han(words.roles)}))",
    ]
    if tier is Tier.ONTOLOGY:
        patterns.append(rf"^{name}(?=\s*[，,（(:：—-])")
        patterns.append(r"^([老小阿][\u4e00-\u9fff])(?=是|在|负责|管|教|做|住|每|会|的)")
    seen: set[str] = set()
    for pattern in patterns:
        for hit in re.finditer(pattern, text):
            called = hit[1][:2] if hit[1][1] in "姐哥叔姨嫂总總" else hit[1]  # 王姐说
            if called not in seen | _WORDS_ZH | words.roles and called[:2] not in _WORDS_ZH:
                seen.add(called)
                yield Mention(called, "person", line)
    for hit in re.finditer(rf"(?<![\u4e00-\u9fff])?([{family}])({_TITLES_ZH})(?![\u4e00-\u9fff]*{_TITLES_ZH})", text):
        if hit[0] not in seen and hit[0] not in _WORDS_ZH and not any(hit[0][0] == s[0] for s in seen):
            seen.add(hit[0])
            yield Mention(hit[0], "person", line)


def _korean(text: str, line: int, tier: Tier, kind: str, words: EntityWords) -> Iterator[Mention]:
    for hit in _SHOP_NAME.finditer(text):
        yield Mention(hit[1], "org", line)
    tokens = list(_TOKEN_KO.finditer(text))
    for at, token in enumerate(tokens):
        before = text[: token.start()]
        after = text[token.end() :]
        last = tokens[at - 1][0] if at else ""
        following = tokens[at + 1][0] if at + 1 < len(tokens) and after[: tokens[at + 1].start() - token.end()].isspace() else ""
        told = re.match(r"\s*[,(（—:-]\s*([가-힣]+)", after)
        base = token[0]
        score = 0.0
        if base.endswith("님") and len(base) > 3:
            base, score = base[:-1], 1.0
        elif following in ("씨", "님", "군", "양") or following.startswith(("씨가", "씨는", "씨와", "씨에", "씨한", "씨께")):
            score = 2.0
        elif len(base) > 3 and base.endswith("씨"):
            base, score = base[:-1], 2.0
        elif (bare := _PARTICLES.sub("", base)) != base and len(bare) == 3:
            score = 0.9 if base[3:] in ("에게", "한테", "께", "께서") else 0.2
            base = bare
        if not 2 <= len(base) <= 3 or base in _WORDS_KO or base in words.roles or any(r in base for r in words.roles if len(r) > 1 and not r.isascii()):
            continue
        if base.endswith(words.organisation_endings):
            continue
        full = len(base) == 3 and base[0] in words.names.korean
        score += 0.9 if full else 0.0
        if last in words.roles and re.search(r"(?:[:：]\s*|\s)$", before):
            score += 1.1
        if _role(following, words) or (told and _role(told[1], words)):
            score += 1.3 if before.strip() else 1.5
        if not before.strip() and full and told and tier is Tier.ONTOLOGY:
            score += 0.6
        if not before.strip() and kind == "people" and (told or following):
            score += 0.5
        if re.search(r"[가-힣]{2,4}\s*[:：]\s*$", before) and full and tier is Tier.ONTOLOGY and re.match(r"\s*(?:[,(（]|$)", after):
            score += 0.9  # a label, and nothing but a full name behind it
        if score >= 1.4:
            yield Mention(base, "person", line)


def _role(word: str, words: EntityWords) -> bool:
    bare = word if word in words.roles else _PARTICLES.sub("", word.removesuffix("님"))
    return bare in words.roles
