/* capi_fuzz.c - arbitrary bytes for every function of tabula.h, as an extension module: what no caller may do, done by the million.
 *
 * run(seed, rounds, rules) returns how often each function gave each code, as {function: [times 0 or more, times -1, times -2, ...]},
 * and raises AssertionError for an answer that cannot be, or for a byte written where none should be. */
#include <Python.h>

#include "tabula.h"

#define GUARDS 64
#define CODES 11

enum { ERROR, START, VALID, FROM_COUNTS, TO_COUNTS, OUTCOME, GENERATE, COUNT, APPLY, TURN, RANDOM_PLAY, MOVES, STREAM_ROLL, AFTERSTATES,
       ALL_MOVES, PERFT, FUNCTIONS };

static const char *const NAMES[FUNCTIONS] = {
    "error", "start", "valid", "from_counts", "to_counts", "outcome", "generate", "count", "apply", "swap_sides", "random_play", "moves",
    "stream_roll", "afterstates", "all_moves", "perft"};

static const tabula_api *tabula;
static long long told[FUNCTIONS][CODES];
static const char *broken;
static tabula_stream dice;

#define HOLDS(condition) \
    do { if (!(condition) && broken == NULL) broken = #condition; } while (0)

static uint32_t below(uint32_t limit) { return tabula->stream_below(&dice, limit); }

static void scribble(void *memory, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) ((uint8_t *)memory)[i] = (uint8_t)below(256);
}

static void flip(void *memory, size_t size) {
    uint32_t i, n = 1 + below(3);
    for (i = 0; i < n; i++) ((uint8_t *)memory)[below((uint32_t)size)] ^= (uint8_t)(1 + below(255));
}

static int64_t tell(int function, int64_t returned) {
    HOLDS(returned > -CODES);
    if (returned > -CODES) told[function][returned < 0 ? -returned : 0]++;
    return returned;
}

/* n checkers put anywhere, or on a few indices. */
static void strew(int n, int8_t *counts) {
    const uint32_t from = below(26), wide = 1 + below(26 - from);
    memset(counts, 0, TABULA_TRACK);
    while (n--) counts[below(4) ? from + below(wide) : below(26)]++;
}

static void make_position(const tabula_rules *rules, tabula_position *position) {
    int8_t counts[2][TABULA_TRACK];
    const int n = rules->checkers <= 15 ? rules->checkers : 15;
    const uint32_t kind = below(10);
    if (kind == 0) {
        scribble(position, sizeof *position);
        return;
    }
    if (kind == 1) {
        scribble(&counts[0][0], sizeof counts);
    } else {
        int i;
        strew(n, counts[0]);
        strew(n, counts[1]);
        for (i = 0; below(12) == 0 && i < 2; i++) {
            /* finished, or nearly so */
            memset(counts[i], 0, TABULA_TRACK);
            counts[i][TABULA_OFF] = (int8_t)(n - 1);
            counts[i][below(3) ? TABULA_OFF : below(TABULA_OFF)]++;
        }
        /* mostly made legal, so that there is something to generate */
        for (i = 1; kind > 4 && i <= TABULA_POINTS; i++) {
            const int facing = rules->direction == TABULA_PARALLEL ? (i <= 12 ? i + 12 : i - 12) : rules->direction ? 25 - i : i;
            int8_t *other = &counts[1][facing];
            if (counts[0][i] && *other) {
                counts[1][0] = (int8_t)(counts[1][0] + *other);
                *other = 0;
            }
            while (counts[0][i] > rules->stack_limit) counts[0][i]--, counts[0][0]++;
            while (*other > rules->stack_limit) --*other, counts[1][0]++;
        }
    }
    memset(position, 0, sizeof *position);
    if (tell(FROM_COUNTS, tabula->from_counts(rules, &counts[0][0], position)) == TABULA_BAD_CHECKERS) {
        HOLDS(position->mover.lo == 0 && position->other.hi == 0);
    }
    if (kind == 2) flip(position, sizeof *position);
}

static int is_guard(const void *memory, size_t size) {
    static uint8_t guard[4096];
    const uint8_t *at = (const uint8_t *)memory;
    size_t part;
    memset(guard, 0xA5, sizeof guard);
    for (; size; size -= part, at += part) {
        part = size < sizeof guard ? size : sizeof guard;
        if (memcmp(at, guard, part)) return 0;
    }
    return 1;
}

static int sum(const int8_t *counts) {
    int i, n = 0;
    for (i = 0; i < TABULA_TRACK; i++) {
        HOLDS(counts[i] >= 0 && counts[i] <= 15);
        n += counts[i];
    }
    return n;
}

static void round_of_moves(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int m, tabula_play play) {
    static tabula_move all[TABULA_MAX_PLAYS * TABULA_MAX_MOVES + GUARDS];
    static int8_t counts[TABULA_MAX_PLAYS * 2 * TABULA_TRACK + GUARDS];
    tabula_move moves[TABULA_MAX_MOVES + 1];
    int i, wrong;
    memset(moves, 0xA5, sizeof moves);
    i = (int)tell(MOVES, tabula->moves(rules, position, roll, &play, moves));
    HOLDS(i <= TABULA_MAX_MOVES && is_guard(moves + (i > 0 ? i : 0), (size_t)(TABULA_MAX_MOVES + 1 - (i > 0 ? i : 0)) * sizeof *moves));
    if (below(8) == 0 && m > 0) plays[below((uint32_t)m)] = play;
    memset(all, 0xA5, sizeof all);
    i = below(50) ? m : (int)below(9000) - 1000;
    if (i > TABULA_MAX_PLAYS || i < 0) HOLDS(tabula->all_moves(rules, position, roll, plays, i, all) < 0);
    else {
        wrong = (int)tell(ALL_MOVES, tabula->all_moves(rules, position, roll, plays, i, all));
        HOLDS(wrong <= TABULA_MAX_MOVES);
        HOLDS(is_guard(all + TABULA_MAX_MOVES * i, sizeof all - (size_t)(TABULA_MAX_MOVES * i) * sizeof *all));
        memset(counts, 0xA5, sizeof counts);
        tell(AFTERSTATES, tabula->afterstates(rules, position, plays, i, counts));
        HOLDS(is_guard(counts + i * 2 * TABULA_TRACK, sizeof counts - (size_t)(i * 2 * TABULA_TRACK)));
    }
    tell(AFTERSTATES, tabula->afterstates(rules, position, plays, -(int)below(3), counts));
}

static void round_of(const tabula_rules *known, int n_known) {
    static tabula_play plays[TABULA_MAX_PLAYS + GUARDS], listed[TABULA_MAX_PLAYS + GUARDS];
    int8_t counts[2 * TABULA_TRACK];
    tabula_rules rules = known[below((uint32_t)n_known)];
    tabula_position position, after, before;
    tabula_play play;
    tabula_stream stream;
    uint8_t roll[4];
    int points = 77, used = 77, n, m, i, wrong, capacity, depth;
    const uint32_t kind = below(20);

    make_position(&rules, &position);
    if (kind == 0) scribble(&rules, sizeof rules);
    if (kind == 1) flip(&rules, sizeof rules);
    if (below(20)) for (i = 0; i < 4; i++) roll[i] = (uint8_t)(1 + below(6));
    else scribble(roll, sizeof roll);
    scribble(&stream, sizeof stream);
    HOLDS(tabula->error((int)below(20) - 15) != NULL);
    told[ERROR][0]++;

    tell(START, tabula->start(&rules, &after));
    wrong = (int)tell(VALID, tabula->valid(&rules, &position));
    HOLDS(wrong <= 0);
    HOLDS(tell(TO_COUNTS, tabula->to_counts(&position, counts)) == TABULA_OK);
    sum(counts);
    sum(counts + TABULA_TRACK);
    i = (int)tell(OUTCOME, tabula->outcome(&rules, &position, &points));
    HOLDS(wrong == TABULA_CROWDED || wrong == TABULA_SHARED_POINT || i == wrong);
    HOLDS(i ? points == 77 : points >= -3 && points <= 3);

    capacity = below(3) ? TABULA_MAX_PLAYS : (int)below(TABULA_MAX_PLAYS + 1) >> below(12);
    if (below(200) == 0) capacity = -(int)below(5);
    memset(plays, 0xA5, sizeof plays);
    n = (int)tell(GENERATE, tabula->generate(&rules, &position, roll, plays, capacity, &used));
    HOLDS(n <= capacity || n <= 0);
    HOLDS(!wrong || n == wrong);
    HOLDS(n >= 0 ? used >= 0 && used <= 4 : used == 77);
    if (capacity < TABULA_MAX_PLAYS || n < 0)
        HOLDS(is_guard(plays + (n > 0 ? n : 0), sizeof plays - (size_t)(n > 0 ? n : 0) * sizeof *plays));
    HOLDS(is_guard(plays + TABULA_MAX_PLAYS, GUARDS * sizeof *plays));
    m = (int)tell(COUNT, tabula->count(&rules, &position, roll));
    HOLDS(n < 0 || n == m);

    memset(listed, 0xA5, sizeof listed);
    m = (int)tell(GENERATE, tabula->generate(&rules, &position, roll, listed, TABULA_MAX_PLAYS, NULL));
    HOLDS(n < 0 || (n == m && memcmp(plays, listed, (size_t)n * sizeof *plays) == 0));
    HOLDS(is_guard(listed + TABULA_MAX_PLAYS, GUARDS * sizeof *plays));
    if (n > 0) m = n;
    else memcpy(plays, listed, sizeof plays);
    if (m < 0) m = 0;
    HOLDS(m <= TABULA_MAX_PLAYS);

    if (m > 0 && below(4)) play = plays[below((uint32_t)m)];
    else scribble(&play, sizeof play);
    if (below(8) == 0) flip(&play, sizeof play);
    memset(&after, 0xA5, sizeof after);
    i = (int)tell(APPLY, tabula->apply(&rules, &position, &play, &after));
    if (i == TABULA_OK) {
        tabula->to_counts(&after, counts);
        HOLDS(sum(counts) == rules.checkers && sum(counts + TABULA_TRACK) == rules.checkers);
        HOLDS((after.mover.hi | after.other.hi) >> 40 == 0);
    } else HOLDS(is_guard(&after, sizeof after));
    if (n > 0) {
        HOLDS(tabula->apply(&rules, &position, &plays[below((uint32_t)n)], &after) == TABULA_OK);
        HOLDS(tabula->valid(&rules, &after) == TABULA_OK);
    }
    before = position;
    HOLDS(tell(TURN, tabula->swap_sides(&position)) == TABULA_OK && tabula->swap_sides(&position) == TABULA_OK);
    HOLDS(memcmp(&before, &position, sizeof position) == 0);

    /* Moves are searched for, which takes longer than all the rest. */
    if (below(8) == 0) round_of_moves(&rules, &position, roll, plays, m, play);
    play.lo = 0xA5A5;
    n = (int)tell(RANDOM_PLAY, tabula->random_play(&rules, &position, roll, &stream, &play));
    HOLDS(n > 0 || play.lo == 0xA5A5);
    tell(STREAM_ROLL, tabula->stream_roll(&stream, (int)below(6) - 1, roll));
    depth = below(100) == 0 ? 2 - (int)below(40) : below(8) == 0;
    if (depth != 2) tell(PERFT, tabula->perft(&rules, &position, depth));
}

static PyObject *run(PyObject *module, PyObject *args) {
    unsigned long long seed;
    long long rounds;
    PyObject *sequence, *found, *codes;
    tabula_rules *known;
    Py_ssize_t n, i;
    int function, code;
    (void)module;
    if (!PyArg_ParseTuple(args, "KLO!", &seed, &rounds, &PyList_Type, &sequence)) return NULL;
    n = PyList_GET_SIZE(sequence);
    known = (tabula_rules *)PyMem_Malloc((size_t)n * sizeof *known);
    if (known == NULL) return PyErr_NoMemory();
    for (i = 0; i < n; i++)
        if (tabula->rules_from(PyList_GET_ITEM(sequence, i), &known[i]) < 0) {
            PyMem_Free(known);
            return NULL;
        }
    memset(told, 0, sizeof told);
    broken = NULL;
    dice = tabula->stream_seed(seed, 0);
    while (rounds-- && broken == NULL) round_of(known, (int)n);
    PyMem_Free(known);
    if (broken != NULL) return PyErr_Format(PyExc_AssertionError, "%s, with %lld rounds to go", broken, rounds + 1);
    found = PyDict_New();
    for (function = 0; found != NULL && function < FUNCTIONS; function++) {
        codes = PyList_New(CODES);
        if (codes == NULL) return NULL;
        for (code = 0; code < CODES; code++) PyList_SET_ITEM(codes, code, PyLong_FromLongLong(told[function][code]));
        if (PyDict_SetItemString(found, NAMES[function], codes) < 0) return NULL;
        Py_DECREF(codes);
    }
    return found;
}

static PyMethodDef methods[] = {{"run", run, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "capi_fuzz", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_capi_fuzz(void) {
    tabula = tabula_import();
    return tabula == NULL ? NULL : PyModule_Create(&definition);
}
