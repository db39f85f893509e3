#!/usr/bin/env python3
"""Makes the application's bundled fonts, or checks that they hold every character that can be shown.

    python3 make_fonts.py            write the fonts beside this file
    python3 make_fonts.py --check    exit status 1 if a character of the project's texts is missing in one of them

Needs Debian's `fonts-noto-cjk` and `fonts-lxgw-wenkai` (not for --check) and PyPI's `fonttools`.
The same sources, texts and fonttools give the same bytes: nothing here reads a clock.
What is in the fonts, and why, is told in README.md.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

try:
    from fontTools import subset
    from fontTools.pens.t2CharStringPen import T2CharStringPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont
except ImportError:
    sys.exit("make_fonts.py: the Python package `fonttools` is missing; install it with `pip install fonttools`")

FONT_DIR = Path(__file__).resolve().parent
PROJECT_DIR = FONT_DIR.parent.parent

# Which files hold texts that a player may see. Plugins bring their own texts in source or data files.
TEXT_GLOBS = (
    "ui/**/*.slint",
    "ui/lang/**/*.po",
    "app/src/**/*.rs",
    "plugins/**/src/**/*.rs",
    "plugins/**/src/**/*.toml",
    "plugins/examples/**/*.c",
)

SYMBOLS = (
    "×÷±·•…–—‘’“”°′″←→↑↓↔↕↖↗↘↙★☆✓▶◀▲▼△▽◆◇○●◎□■♀♂♠♥♦♣①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
    "€£¥©®™½¼¾²³≈≠≤≥∞√−"
)

PINYIN_VOWELS = "ĀÁǍÀāáǎàĒÉĚÈēéěèĪÍǏÌīíǐìŌÓǑÒōóǒòŪÚǓÙūúǔùǕǗǙǛǖǘǚǜ"

# Beyond GB 2312 level 1: traditional faces of xiangqi and shogi pieces, and words of board games.
BOARD_GAME_TEXT = (
    "帥將仕士相象俥車傌馬炮砲包卒兵楚河漢界九宮紅黑棋局圍碁囲象棋將軍飛龍獅鷹鴨雞豬貓鼠虎狼狗"
    "王玉金銀桂香步歩角飛竜龍馬と成杏圭全劫氣眼目提征枷撲靠扳尖虎跳夾斷連長頂擠衝點滾雙活殺盤"
    "勝負和贏輸讓子貼數棄權禁手長連三四五連珠先後執白悔譜開關閉選擇設置語言簡繁體確認取消繼續"
    "弈東南西北風發財麻將萬筒條國際跳軍鬥獸陸戰飛行翻牌記憶閃順序練習級別難度對戰電腦玩家雙人"
)

# Noto's simplified Chinese face draws these as wide as an ideograph, which tears English text apart ("don ’ t").
# They serve both languages here, so they take the narrow form that the Korean face has at the same code point.
NARROW_FROM_KOREAN_FACE = "·•‘’“”"
# The narrow form of these exists under the OpenType feature `pwid` only.
NARROW_FROM_PWID = "…"
# No face of Noto CJK has a narrow form: scaled, so that "9×9" reads as one word.
NARROW_BY_SCALING = "×÷±"
NARROW_SCALE = 0.75
NARROW_SIDE_BEARING = 55  # font units, on each side


@dataclass
class Face:
    """One font to make: where it comes from, what it is called, and how tall its line is."""

    source: Path
    collection_index: int
    debian_package: str
    family: str
    style: str
    file_name: str
    # The line box (font units): its middle is the middle of the ideographs, so that text sits
    # in the middle of a button or a piece without a correction in the screens.
    ascent: int
    descent: int

    @property
    def path(self):
        return FONT_DIR / self.file_name


NOTO_DIR = Path("/usr/share/fonts/opentype/noto")
WENKAI_DIR = Path("/usr/share/fonts/truetype/lxgw-wenkai")
NOTO_SIMPLIFIED, NOTO_KOREAN = 2, 1

FACES = [
    Face(NOTO_DIR / "NotoSansCJK-Regular.ttc", NOTO_SIMPLIFIED, "fonts-noto-cjk",
         "Qiju Sans", "Regular", "QijuSans-Regular.otf", 1028, -272),
    Face(NOTO_DIR / "NotoSansCJK-Bold.ttc", NOTO_SIMPLIFIED, "fonts-noto-cjk",
         "Qiju Sans", "Bold", "QijuSans-Bold.otf", 1028, -272),
    Face(WENKAI_DIR / "LXGWWenKai-Regular.ttf", -1, "fonts-lxgw-wenkai",
         "Qiju Kai", "Regular", "QijuKai-Regular.ttf", 955, -245),
]


def gb2312_rows(rows):
    """The characters of some rows of GB 2312, in code order; code points without a character are left out."""
    cells = (bytes((0xA0 + row, 0xA0 + cell)) for row in rows for cell in range(1, 95))
    return "".join(cell.decode("gb2312", "ignore") for cell in cells)


def base_characters():
    """What every bundled font holds whatever the texts say: see README.md."""
    ascii_and_latin_1 = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)]))
    punctuation_numerals_full_width = gb2312_rows((1, 2, 3))
    level_1 = gb2312_rows(range(16, 56))
    assert len(level_1) == 3755, f"GB 2312 level 1 has 3755 characters, this Python decodes {len(level_1)}"
    latin = ascii_and_latin_1 + PINYIN_VOWELS
    return set(latin + punctuation_numerals_full_width + level_1 + SYMBOLS + BOARD_GAME_TEXT)


def shown_characters():
    """Every non-ASCII character of the project's texts, with the first place where it stands ("file:line")."""
    places = {}
    for pattern in TEXT_GLOBS:
        for path in sorted(PROJECT_DIR.glob(pattern)):
            comment = re.compile(r"^\s*(#|msgctxt)" if path.suffix in (".po", ".toml") else r"^\s*//")
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if line == "#[cfg(test)]":  # a file's unit tests come last, and nobody plays them
                    break
                if comment.match(line):
                    continue
                for character in line:
                    if ord(character) > 0x7E and character.isprintable():
                        places.setdefault(character, f"{path.relative_to(PROJECT_DIR)}:{number}")
    return places


def open_source(face):
    """The source font of a face, or an exit that says which package brings it."""
    if not face.source.is_file():
        sys.exit(f"make_fonts.py: {face.source} is missing; install it with `apt-get install {face.debian_package}`")
    return TTFont(face.source, fontNumber=face.collection_index, recalcTimestamp=False)


def single_substitutions(font, feature_tag):
    """The glyph-for-glyph substitutions of one OpenType feature."""
    table = font["GSUB"].table
    mapping = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == feature_tag:
            for index in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[index].SubTable:
                    subtable = getattr(subtable, "ExtSubTable", subtable)
                    mapping.update(getattr(subtable, "mapping", {}))
    return mapping


def take_narrow_forms(font, face):
    """Points the code points of NARROW_… at the narrow glyphs that Noto itself has."""
    # The faces of a Noto collection share one glyph table, so a glyph name of one is right in the other.
    korean = TTFont(face.source, fontNumber=NOTO_KOREAN).getBestCmap()
    narrow = single_substitutions(font, "pwid")
    for table in font["cmap"].tables:
        if not table.isUnicode() or table.format == 14:  # format 14 maps variation sequences only
            continue
        for character in NARROW_FROM_KOREAN_FACE:
            table.cmap[ord(character)] = korean[ord(character)]
        for character in NARROW_FROM_PWID:
            glyph = table.cmap[ord(character)]
            table.cmap[ord(character)] = narrow.get(glyph, glyph)


def scale_narrow_forms(font):
    """Redraws the glyphs of NARROW_BY_SCALING smaller, about their own middle, in a CFF font."""
    top = font["CFF "].cff.topDictIndex[0]
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    for character in NARROW_BY_SCALING:
        name = cmap[ord(character)]
        left, bottom, right, top_edge = top.CharStrings[name].calcBounds(glyphs)
        advance = round((right - left) * NARROW_SCALE) + 2 * NARROW_SIDE_BEARING
        middle_y = (bottom + top_edge) / 2
        private = top.CharStrings[name].private
        # A charstring stores its width as the difference from the font's nominal one.
        pen = T2CharStringPen(advance - private.nominalWidthX, None)
        shift = (NARROW_SIDE_BEARING - left * NARROW_SCALE, middle_y * (1 - NARROW_SCALE))
        glyphs[name].draw(TransformPen(pen, (NARROW_SCALE, 0, 0, NARROW_SCALE, *shift)))
        redrawn = pen.getCharString(private=private, globalSubrs=top.GlobalSubrs)
        # Fonts keyed by CID choose the private dictionary per glyph.
        _, selector = top.CharStrings.getItemAndSelector(name)
        redrawn.fdSelectIndex = selector
        top.CharStrings[name] = redrawn
        font["hmtx"][name] = (advance, NARROW_SIDE_BEARING)


def rename(font, face):
    """Replaces the names: a changed font may not carry its reserved ones. Copyright and licence entries stay."""
    kept = {0, 13, 14}
    names = font["name"]
    notices = {record.nameID: record.toUnicode().replace("\r\n", "\n") for record in names.names
               if record.nameID in kept and record.platformID == 3 and record.langID == 0x409}
    source_version = re.match(r"Version ([\d.]+)", names.getDebugName(5)).group(1)
    names.names = []
    post_script = face.file_name.rsplit(".", 1)[0]
    full_name = face.family if face.style == "Regular" else f"{face.family} {face.style}"
    notices |= {
        1: face.family,
        2: face.style,
        3: f"{post_script}:{source_version}",
        4: full_name,
        5: f"Version {source_version}; subset",
        6: post_script,
    }
    for name_id, text in sorted(notices.items()):
        names.setName(text, name_id, 3, 1, 0x409)
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [post_script]
        top = cff.topDictIndex[0]
        top.FullName, top.FamilyName = full_name, face.family
        for part in getattr(top, "FDArray", []):
            part.FontName = post_script


def set_line_box(font, face):
    """Makes the line box of the face the same for every reader of the font."""
    font["hhea"].ascent, font["hhea"].descent, font["hhea"].lineGap = face.ascent, face.descent, 0
    os2 = font["OS/2"]
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = face.ascent, face.descent, 0
    os2.usWinAscent, os2.usWinDescent = face.ascent, -face.descent


def make(face, characters):
    """Writes one font and returns the characters of `characters` that its source does not have."""
    font = open_source(face)
    is_noto = face.debian_package == "fonts-noto-cjk"
    if is_noto:
        take_narrow_forms(font, face)

    options = subset.Options()
    options.hinting = False  # the software renderer does not hint
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "liga", "calt"]
    options.name_IDs = ["*"]
    options.name_languages = ["*"]
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx", "gasp"]  # no vertical text, no hints
    options.notdef_outline = True  # a missing character shows as a box, where the renderer draws it at all
    options.recalc_timestamp = False
    subsetter = subset.Subsetter(options)
    available = set(map(chr, font.getBestCmap()))
    subsetter.populate(text="".join(sorted(characters & available)))
    subsetter.subset(font)

    if is_noto:
        scale_narrow_forms(font)
    rename(font, face)
    set_line_box(font, face)
    font["head"].modified = font["head"].created
    font.save(face.path, reorderTables=True)
    return characters - available


def missing_in_bundle(characters):
    """For each bundled font the characters that it lacks; an exit if a font is not there."""
    missing = {}
    for face in FACES:
        if not face.path.is_file():
            sys.exit(f"make_fonts.py: {face.path} is missing; run make_fonts.py without --check first")
        missing[face.file_name] = characters - set(map(chr, TTFont(face.path, lazy=True).getBestCmap()))
    return missing


def report_missing(missing, places):
    """Prints every missing character that a text uses, with its place; returns how many there are."""
    count = 0
    for file_name, characters in missing.items():
        for character in sorted(characters & places.keys()):
            print(f"{file_name} lacks {character!r} (U+{ord(character):04X}), used in {places[character]}")
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description="Makes the bundled fonts from Debian's, or checks their coverage.")
    parser.add_argument("--check", action="store_true", help="only check the fonts that are there")
    check_only = parser.parse_args().check

    places = shown_characters()
    if not check_only:
        characters = base_characters() | places.keys()
        for face in FACES:
            lacking = make(face, characters)
            print(f"{face.file_name}: {face.path.stat().st_size} bytes; "
                  f"not in its source: {''.join(sorted(lacking)) or 'nothing'}")
    if report_missing(missing_in_bundle(set(places)), places):
        return "make_fonts.py: characters are missing; make the fonts anew, or write another one if the source lacks it"
    print(f"all {len(places)} characters of the texts are in all {len(FACES)} fonts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
