/* failing_malloc.c - malloc that fails when told to, and counts what is not given back; put in front of glibc's by LD_PRELOAD. */
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static long left = -1, failed, live;
static size_t least;

/* Of the blocks of at least so many bytes that are asked for from now on, the n-th is refused; with n < 0 none is. */
void fail_at(long n, size_t bytes) {
    __atomic_store_n(&least, bytes, __ATOMIC_SEQ_CST);
    __atomic_store_n(&failed, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&left, n, __ATOMIC_SEQ_CST);
}

/* How many were refused since. */
long refused(void) { return __atomic_load_n(&failed, __ATOMIC_SEQ_CST); }

/* How many blocks have been given out and not given back. */
long blocks(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST); }

static int refuse(size_t bytes) {
    if (bytes < __atomic_load_n(&least, __ATOMIC_RELAXED) || __atomic_load_n(&left, __ATOMIC_RELAXED) < 0) return 0;
    if (__atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST) != 0) return 0;
    __atomic_fetch_add(&failed, 1, __ATOMIC_SEQ_CST);
    errno = ENOMEM;
    return 1;
}

static void *given(void *block) {
    if (block != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
    return block;
}

void *malloc(size_t bytes) { return refuse(bytes) ? NULL : given(__libc_malloc(bytes)); }

void *calloc(size_t n, size_t bytes) { return refuse(n * bytes) ? NULL : given(__libc_calloc(n, bytes)); }

void *realloc(void *block, size_t bytes) {
    if (refuse(bytes)) return NULL;
    if (block == NULL) return given(__libc_realloc(NULL, bytes));
    return __libc_realloc(block, bytes);
}

void free(void *block) {
    if (block != NULL) __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
    __libc_free(block);
}
