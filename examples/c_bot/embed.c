/* embed.c - the bot as a program of its own, with Python embedded: ./c_bot backgammon 1000 1 (the game, how many, the seed). */
#include <Python.h>

#include <stdio.h>
#include <stdlib.h>

#include "bot.h"

/* Starts the interpreter that the Makefile found, so that the packages installed for it are there. */
static int start_python(void) {
    PyConfig config;
    PyStatus status;
    PyConfig_InitPythonConfig(&config);
    status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) fprintf(stderr, "Python does not start: %s\n", status.err_msg ? status.err_msg : "it exits");
    return !PyStatus_Exception(status);
}

int main(int argc, char **argv) {
    const tabula_api *tabula;
    bot_totals totals;
    int wrong;
    if (argc != 4) {
        fprintf(stderr, "usage: %s GAME GAMES SEED\n", argv[0]);
        return 2;
    }
    if (!start_python()) return 1;
    tabula = tabula_import();
    if (tabula == NULL) {
        PyErr_Print();
        return 1;
    }
    /* From here on no Python is run: the program could as well start threads. */
    wrong = bot_play(tabula, argv[1], atoi(argv[2]), strtoull(argv[3], NULL, 10), &totals);
    if (wrong) fprintf(stderr, "%s\n", tabula->error(wrong));
    else {
        printf("first %lld\nsecond %lld\npoints %lld\n", (long long)totals.first, (long long)totals.second, (long long)totals.points);
        printf("plies %lld\nplays %lld\n", (long long)totals.plies, (long long)totals.plays);
    }
    return Py_FinalizeEx() < 0 || wrong;
}
