/* Counts how many objects of a type are freed: takes the place of the type's own function that frees one, and calls it.
 *
 * Free lists are behind that function, so that an object that lives for a moment is counted like any other. Not for classes that are
 * written in Python: their function looks for itself in the types below. */
#define MOST 8

typedef void (*destructor)(void *object);

static destructor original[MOST];
static destructor *slot[MOST];
static long counts[MOST];

#define COUNTING(k)                       \
    static void counting_##k(void *object) { \
        counts[k]++;                      \
        original[k](object);              \
    }
COUNTING(0)
COUNTING(1)
COUNTING(2)
COUNTING(3)
COUNTING(4)
COUNTING(5)
COUNTING(6)
COUNTING(7)

static const destructor counting[MOST] = {counting_0, counting_1, counting_2, counting_3, counting_4, counting_5, counting_6, counting_7};

void count_from_now(int k, void *address) {
    slot[k] = (destructor *)address;
    original[k] = *slot[k];
    counts[k] = 0;
    *slot[k] = counting[k];
}

long counted_until_now(int k) {
    *slot[k] = original[k];
    return counts[k];
}
