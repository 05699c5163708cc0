"""What `core/bits.h` and `_native/capi_checks.h` do with SIMD, and their twins in plain C, which other processors run: the same
for everything."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import sys
import sysconfig
from ctypes import c_int8, c_uint32, c_uint64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

HEADERS = Path(__file__).parents[1] / "src" / "tabula"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()
SIDE_HI = (1 << 40) - 1

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the flags are those of gcc and clang"),
    pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason=f"there is no C compiler {COMPILER[0]}"),
]

SOURCE = """
#include "core/bits.h"
#include "_native/capi_checks.h"
int simd(void) { return TABULA_SSE2; }
void planes(uint64_t lo, uint64_t hi, uint32_t *planes) { tabula_planes(lo, hi, planes); }
void unpack(uint64_t lo, uint64_t hi, int8_t *counts) { tabula_unpack(lo, hi, counts); }
void unpack_wide(uint64_t lo, uint64_t hi, int8_t *counts) { tabula_unpack_wide(lo, hi, counts); }
void copy_wide(const int8_t *from, int8_t *counts) { tabula_copy_wide(from, counts); }
int pack(const int8_t *counts, int limit, uint64_t *words, uint32_t *masks) {
    return tabula_pack(counts, limit, words, words + 1, masks, masks + 1);
}
int look(uint64_t lo, uint64_t hi, int limit, uint32_t *masks) { return tabula_look(lo, hi, limit, masks, masks + 1); }
int put_wanted(tabula_play *play, const uint64_t *all, const tabula_side *change, const uint32_t *source, int n, uint32_t wanted) {
    return (int)(tabula_put_selected(play, all[0], all[1], all[2], change, source, n, wanted) - play);
}
void put_changed(tabula_play *play, const tabula_play *from, int n, uint64_t lo, uint64_t hi) {
    tabula_put_changed(play, from, n, lo, hi);
}
int has_checkers(const tabula_position *position, int checkers) { return tabula_has_checkers(position, checkers); }
"""


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """The same functions as they are compiled here, and without SIMD."""
    folder = tmp_path_factory.mktemp("bits")
    (folder / "bits.c").write_text(SOURCE, encoding="utf-8")
    made = []
    for name, flags in (("usual", []), ("plain", ["-DTABULA_PLAIN"])):
        library = folder / f"{name}.so"
        command = [
            *COMPILER,
            "-std=gnu11",
            "-O2",
            "-Wall",
            "-Werror",
            "-shared",
            "-fPIC",
            *flags,
            f"-I{HEADERS}",
            f"-I{HEADERS / 'include'}",
            "-o",
            str(library),
        ]
        subprocess.run([*command, str(folder / "bits.c")], check=True)
        made.append(ctypes.CDLL(str(library)))
    usual, plain = made
    assert not plain.simd()
    assert usual.simd() or not sysconfig.get_platform().endswith("x86_64")
    return usual, plain


WORD = st.integers(0, 2**64 - 1)
SIDE = st.integers(0, SIDE_HI)
LIMIT = st.integers(1, 15)


def some_counts(source: random.Random, most: int) -> list[int]:
    """26 counts with at most so many checkers."""
    counts = [0] * 26
    for _ in range(source.randint(0, most)):
        counts[source.randrange(26)] += 1
    return counts


@given(lo=WORD, hi=SIDE, limit=LIMIT)
def test_what_is_read_out_of_two_words(twins: tuple[ctypes.CDLL, ctypes.CDLL], lo: int, hi: int, limit: int) -> None:
    words = c_uint64(lo), c_uint64(hi)
    counts = [lo >> 4 * i & 15 for i in range(16)] + [hi >> 4 * i & 15 for i in range(10)]
    for twin in twins:
        planes, masks, bytes_ = (c_uint32 * 4)(), (c_uint32 * 2)(), (c_int8 * 32)()
        twin.planes(c_uint64(lo), c_uint64(hi | 0xABCDEF << 40), planes)
        assert list(planes) == [sum((count >> k & 1) << i for i, count in enumerate(counts)) for k in range(4)]
        twin.unpack(*words, bytes_)
        assert list(bytes_) == [*counts, *[0] * 6]
        wide = (c_int8 * 32)()
        twin.unpack_wide(*words, wide)
        assert list(wide)[:26] == counts
        copied = (c_int8 * 32)()
        twin.copy_wide(wide, copied)
        assert list(copied)[:26] == counts
        assert twin.look(*words, limit, masks) == sum(counts)
        assert list(masks) == [
            sum((count > 0) << i for i, count in enumerate(counts)), sum((count > limit) << i for i, count in enumerate(counts))
        ]  # fmt: skip


@given(counts=st.lists(st.integers(-128, 127), min_size=26, max_size=26), seed=st.integers(0, 2**32), limit=LIMIT)
def test_what_26_bytes_are_made_into(twins: tuple[ctypes.CDLL, ctypes.CDLL], counts: list[int], seed: int, limit: int) -> None:
    right = some_counts(random.Random(seed), 15)
    for twin in twins:
        words, masks = (c_uint64 * 2)(), (c_uint32 * 2)()
        assert twin.pack((c_int8 * 26)(*counts), limit, words, masks) == sum(count & 255 for count in counts)
        assert twin.pack((c_int8 * 26)(*right), limit, words, masks) == sum(right)
        assert list(words) == [
            sum(count << 4 * i for i, count in enumerate(right[:16])), sum(count << 4 * i for i, count in enumerate(right[16:]))
        ]  # fmt: skip
        assert list(masks) == [
            sum((count > 0) << i for i, count in enumerate(right)), sum((count > limit) << i for i, count in enumerate(right))
        ]  # fmt: skip


@given(n=st.integers(1, 30), seed=st.integers(0, 2**32))
def test_plays_that_are_put_one_after_another(twins: tuple[ctypes.CDLL, ctypes.CDLL], n: int, seed: int) -> None:
    source = random.Random(seed)
    changes = [source.getrandbits(64) for _ in range(2 * n)]
    sources, wanted = [1 << source.randrange(26) for _ in range(n)], source.getrandbits(26)
    lo, hi, hits = source.getrandbits(64), source.getrandbits(40), source.getrandbits(26) << 38
    expected = []
    for k in range(n):
        if sources[k] & wanted:
            expected += [(lo + changes[2 * k]) % 2**64, (hi + changes[2 * k + 1]) % 2**64 | hits]
    moved = [word for k in range(n) for word in ((changes[2 * k] + lo) % 2**64, (changes[2 * k + 1] + hi) % 2**64)]
    for twin in twins:
        room = (c_uint64 * (2 * (n + 4)))()
        given_changes, given_sources = (c_uint64 * (2 * (n + 4)))(*changes), (c_uint32 * (n + 4))(*sources)
        put = twin.put_wanted(room, (c_uint64 * 3)(lo, hi, hits), given_changes, given_sources, n, c_uint32(wanted))
        assert 2 * put == len(expected)
        assert list(room)[: 2 * put] == expected
        twin.put_changed(room, given_changes, n, c_uint64(lo), c_uint64(hi))
        assert list(room)[: 2 * n] == moved


@given(seed=st.integers(0, 2**32), above=st.integers(0, 3))
def test_whether_both_sides_have_their_checkers(twins: tuple[ctypes.CDLL, ctypes.CDLL], seed: int, above: int) -> None:
    source = random.Random(seed)
    sides = [source.choice((some_counts(source, 15), [source.randrange(16) for _ in range(26)])) for _ in range(2)]
    words = [sum(count << 4 * i for i, count in enumerate(part)) for side in sides for part in (side[:16], side[16:])]
    words[source.choice((1, 3))] |= above << 40
    for checkers in {sum(sides[0]), sum(sides[1]), 15}:
        expected = above == 0 and sum(sides[0]) == sum(sides[1]) == checkers
        for twin in twins:
            assert bool(twin.has_checkers((c_uint64 * 4)(*words), checkers)) == expected
