"""Tokenising, stemming and spelling correction: words without case, accents, punctuation and endings.

Knows how words are written in European languages, Japanese and Chinese; must not know what they mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

ENDINGS = (
    "ings", "ing", "edly", "ed", "ies", "ische", "isch", "ish", "es", "os", "as", "s", "ly", "en", "er",
    "e", "y", "o", "a", "i",
)  # fmt: skip
"""Endings that are removed from a word, longest first where they overlap."""

LEAST_LEFT = 4
"""Least number of letters that must remain when an ending is removed."""

SHORTEST = 4
"""Letters of the shortest word that is corrected; shorter words are alike by chance."""

SHORTEST_KNOWN = 5
"""Letters of the shortest known word that a word is corrected to."""

LONG = 8
"""Letters from which a word may have two slips."""

CLOSE = 0.5
"""Share of common letter pairs (Dice coefficient of bigrams) from which a word may be a misspelling."""

_TRADITIONAL = (
    "紅髮襯綠藍黃變機風雲頭畫讓換掛場龐極質飛龍銀銅鐵鉻紙絲絨線條紋塗後裡裏邊間門園櫻樹葉島灘陽陰燈夢藝術"
    "師國圖書館廳廚辦學賽來這個們給對帶褲裝飾襪圍領結長捲亂淺濃艷鮮顏純單雙點圓號貓鳥魚馬豬雞鴨獅體臉張筆"
    "鉛繪織繡編針牆磚堅軟舊復樂聲響開關閉電腦視頻聞報導劇團隊員歲壽聖節慶誕過還運動車輪轉遠進選擇見觀覺親"
    "戶處備雜離難霧靜頂項順須預願類顯飯飲養騎驚鬆鹽麗麥歷歐氣漢潔潑澤濕熱爐爛爺獨獲環現產異當療盤眾睜礦禮"
    "積穩窮簡範糧級細終組統經綜緊緒緩總縮繩續罰習聰職聽肅膚臟臺與興舉艙莊萬蓋蘭蟲補製複規計訂記設許訴試話"
    "該詳認語說調談請論證識譯護讀豐貝負財責貨貴買費賓賞賣賴跡踐蹤軍較載輕輝輸轎農郵鄉醫釀釋釣鋼錄錢鍋鍵鏡"
    "鐘閃閒陳陸階際隨險隱隻雖靈頁頗額題飄餓駕騙髒鬧魯黨齊齒"
)
_SIMPLIFIED = (
    "红发衬绿蓝黄变机风云头画让换挂场庞极质飞龙银铜铁铬纸丝绒线条纹涂后里里边间门园樱树叶岛滩阳阴灯梦艺术"
    "师国图书馆厅厨办学赛来这个们给对带裤装饰袜围领结长卷乱浅浓艳鲜颜纯单双点圆号猫鸟鱼马猪鸡鸭狮体脸张笔"
    "铅绘织绣编针墙砖坚软旧复乐声响开关闭电脑视频闻报导剧团队员岁寿圣节庆诞过还运动车轮转远进选择见观觉亲"
    "户处备杂离难雾静顶项顺须预愿类显饭饮养骑惊松盐丽麦历欧气汉洁泼泽湿热炉烂爷独获环现产异当疗盘众睁矿礼"
    "积稳穷简范粮级细终组统经综紧绪缓总缩绳续罚习聪职听肃肤脏台与兴举舱庄万盖兰虫补制复规计订记设许诉试话"
    "该详认语说调谈请论证识译护读丰贝负财责货贵买费宾赏卖赖迹践踪军较载轻辉输轿农邮乡医酿释钓钢录钱锅键镜"
    "钟闪闲陈陆阶际随险隐只虽灵页颇额题飘饿驾骗脏闹鲁党齐齿"
)
_LETTERS = str.maketrans(
    {"đ": "d", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "&": " ", "%": " percent ", "’": "'"}
    # Traditional Chinese characters of the lexicon are read as the simplified ones; so are Japanese ones
    # of the same form, in the lexicon and in prompts alike.
    | dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True))
)
_SOUNDS = str.maketrans("kqzyv", "ccsif")
_SPELLINGS = MappingProxyType({"grayscale": "greyscale", "gray": "grey", "grays": "greys", "nite": "night"})
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_AS_WRITTEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’][^\W\d_]{1,2}\b)?|%"
)
_ACCENTS = re.compile("[\u0300-\u036f\u3099\u309a]")
_CLAUSE = re.compile(r"[,;.!?:()\n、。，；！？：（）]+|\s[-–—]+\s")
_DECADE = re.compile(r"(?:19)?([2-9]0)(?:s|er|ern|ies|ers)|19([2-9])\d")
_DECADE_WORDS = (
    ("twenties", "zwanziger"), ("thirties", "dreissiger"), ("forties", "vierziger"),
    ("fifties", "funfziger"), ("sixties", "sechziger"), ("seventies", "siebziger"),
    ("eighties", "achtziger"), ("nineties", "neunziger"),
)  # fmt: skip
_VOWELS, _DOUBLED = re.compile("[aeiou]"), re.compile(r"(.)\1+")
_DECADE_AFTER = re.compile(r"\b(?:annees|anni|anos|anys) (?:19)?([2-9]0)\b")


def tokens(text: str) -> list[str]:
    """The words of a text, normalised but with their endings (tokenising).

    ``8-bit`` becomes ``8 bit``, ``n't`` becomes ``not``, ``color`` becomes ``colour``; ``1987``, ``80s``,
    ``eighties`` and ``anni 80`` become ``1980s``. Every Japanese or Chinese character is a word of its
    own, because these scripts do not mark where words end.
    """
    plain = unaccented(text).replace("n't", " not").replace("dont ", "do not ")
    return [_spelt(word) for word in _WORD.findall(_DECADE_AFTER.sub(r"19\1s", plain))]


def unaccented(text: str) -> str:
    """A text in lower case and without accents."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS)))


def as_written(text: str) -> list[tuple[str, str]]:
    """The words of a text, each beside what the user wrote: ``("jacket", "Jacket,")`` without the comma.

    Where the two cannot be aligned ("anni 80" is one word), the normalised word stands for both.
    """
    composed = unicodedata.normalize("NFC", text)
    pairs = [(word, own) for own in _AS_WRITTEN.findall(composed) for word in tokens(own)]
    words = tokens(text)
    return pairs if [word for word, _ in pairs] == words else [(word, word) for word in words]


def is_ideographic(word: str) -> bool:
    """Returns whether a word is a Japanese or Chinese character."""
    return "\u3040" <= word[:1] <= "\u30ff" or "\u3400" <= word[:1] <= "\u9fff"


def is_hiragana(word: str) -> bool:
    """Returns whether a word is a syllable of the Japanese script that grammar is written in."""
    return "\u3040" <= word[:1] <= "\u309f"


def split_clauses(text: str) -> list[str]:
    """The parts of a text between punctuation marks, some of them empty."""
    return _CLAUSE.split(text)


def clauses(text: str) -> list[list[str]]:
    """The words of each part of a text between punctuation marks; empty parts are left out."""
    return [words for part in split_clauses(text) if (words := tokens(part))]


def _spelt(word: str) -> str:
    decade = _DECADE.fullmatch(word)
    if decade:
        return f"19{decade[1] or decade[2] + '0'}s"
    for place, names in enumerate(_DECADE_WORDS, 2):
        if word.startswith(names):
            return f"19{place}0s"
    if "color" in word:
        return word.replace("color", "colour")
    return _SPELLINGS.get(word, word)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a word: one for ``sketchy``, ``sketches`` and ``sketch``."""
    if word[:1].isdigit():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_LEFT:
            return word[: -len(ending)]
    return word


def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words."""
    return tuple(stem(word) for word in tokens(text))


class Spelling:
    """A spelling corrector: finds the known word for a misspelt or inflected one, or within a compound.

    Args:
        known: Words with their endings, as returned by ``tokens``.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._stems = frozenset(map(stem, self._known))
        by_pair: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self._known):
            for pair in _pairs(word) if len(word) >= SHORTEST_KNOWN else ():
                by_pair[pair].append(word)
        self._by_pair: Mapping[str, list[str]] = by_pair

    def mended(self, word: str) -> str:
        """The known word most like this one; the word itself where it is known or nothing is like it."""
        if len(word) < SHORTEST or word[0].isdigit() or stem(word) in self._stems:
            return word
        own = _pairs(word)
        shared = Counter(known for pair in own for known in self._by_pair.get(pair, ()))
        best, closest = word, 0.0
        for known, count in shared.items():
            alike = 2 * count / (len(own) + len(_pairs(known)))
            if _contains(word, known):
                alike = max(alike, 0.5 + 0.5 * len(known) / len(word))
            elif alike < CLOSE or not _slipped(word, known):
                continue
            if alike > closest:
                best, closest = known, alike
        return best


def _contains(word: str, known: str) -> bool:
    """Returns whether a word is a compound that begins or ends with the known one (``aquarellbild``)."""
    return len(known) >= SHORTEST_KNOWN and (word.startswith(known) or word.endswith(known))


def _slipped(word: str, known: str) -> bool:
    """Returns whether one word may be a misspelling of the other, by edit distance.

    Letters that sound alike count as equal. A wrong first letter is rare and lowers the limit by one. In
    short words a replaced letter is not accepted, only a vowel or a doubled letter too many or too few, or
    letters out of place: Spanish *marido*, husband, is no Mario.
    """
    sound, other = word.translate(_SOUNDS), known.translate(_SOUNDS)
    slips = distance(sound, other)
    shorter = min(len(word), len(known))
    if shorter < 6 and slips == 1:
        if len(word) == len(known):
            return sorted(sound) == sorted(other)
        return _bones(sound) == _bones(other)
    return slips <= (1 if shorter < LONG else 2) - (sound[0] != other[0])


def _bones(word: str) -> str:
    """A word without its vowels and doubled letters."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word))


@lru_cache(maxsize=8192)
def _pairs(word: str) -> frozenset[str]:
    """Letter pairs (bigrams) of a word; its edges count as letters."""
    framed = f"^{word}$"
    return frozenset(framed[at : at + 2] for at in range(len(framed) - 1))


def distance(first: str, second: str) -> int:
    """Edit distance (optimal string alignment): letters added, dropped, changed, or swapped with the next."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(second, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]
