# Room for the plays of a roll, which calls borrow in turn.
#
# Included by _core.pyx.

# The one block that calls borrow in turn. A call that finds it taken allocates another; the last one given back stays here.
cdef void *SPARE = NULL


cdef tabula_play *borrow() noexcept nogil:
    """Room for TABULA_MAX_PLAYS plays, or NULL if there is no memory; to be given back."""
    cdef void *block = tabula_swap(&SPARE, NULL)
    if block == NULL:
        block = malloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    return <tabula_play *>block


cdef void give_back(tabula_play *plays) noexcept nogil:
    free(tabula_swap(&SPARE, plays))
