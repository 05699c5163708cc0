/* module.c - the bot as an extension module of Python, c_bot. */
#include <Python.h>

#include "bot.h"

static const tabula_api *tabula;

static PyObject *play(PyObject *module, PyObject *args) {
    bot_totals totals;
    const char *game;
    unsigned long long seed;
    int games, wrong;
    (void)module;
    if (!PyArg_ParseTuple(args, "siK", &game, &games, &seed)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    wrong = bot_play(tabula, game, games, (uint64_t)seed, &totals);
    Py_END_ALLOW_THREADS
    if (wrong) {
        PyErr_SetString(PyExc_RuntimeError, tabula->error(wrong));
        return NULL;
    }
    return Py_BuildValue(
        "{sLsLsLsLsL}", "first", (long long)totals.first, "second", (long long)totals.second, "points", (long long)totals.points,
        "plies", (long long)totals.plies, "plays", (long long)totals.plays);
}

static PyMethodDef methods[] = {
    {"play", play, METH_VARARGS, "play(game, games, seed): plays so many games, and returns what they came to."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "c_bot", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_c_bot(void) {
    /* Once for the module. It fails with an ImportError if the tabula that is installed is of another build. */
    tabula = tabula_import();
    return tabula == NULL ? NULL : PyModule_Create(&definition);
}
