# Random numbers: streams that depend on a seed and a game's number alone, and dice from them.
#
# Included by _core.pyx.

cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """The finalizer of splitmix64 (Steele, Lea and Flood, 2014): every bit of x changes half of the bits."""
    x = (x ^ x >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return x ^ x >> 31


cdef tabula_stream stream_seed(uint64_t seed, uint64_t game) noexcept nogil:
    """The stream of one game of a seed. The game's number is mixed before it meets the seed, so that streams do not overlap."""
    cdef tabula_stream stream
    stream.key = mixed(seed + <uint64_t>0x9E3779B97F4A7C15) ^ mixed(mixed(game + <uint64_t>0xD1B54A32D192ED03) + seed)
    stream.counter = 0
    return stream


cdef uint64_t stream_next(tabula_stream *stream) noexcept nogil:
    """64 random bits."""
    stream.counter += 1
    return mixed(mixed(stream.key + stream.counter * <uint64_t>0x9E3779B97F4A7C15) ^ stream.key)


cdef uint32_t stream_below(tabula_stream *stream, uint32_t limit) noexcept nogil:
    """A number of 0..limit - 1, each as likely as another (Lemire, 2019); the limit is 1 or more."""
    cdef uint64_t product = (stream_next(stream) >> 32) * limit
    cdef uint32_t low = <uint32_t>product, threshold
    if low < limit:
        threshold = (0 - limit) % limit
        while low < threshold:
            product = (stream_next(stream) >> 32) * limit
            low = <uint32_t>product
    return <uint32_t>(product >> 32)


cdef void stream_roll(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil:
    """Throws 1..3 dice, the largest first, into room for three."""
    memcpy(roll, THROWN[dice][stream_below(stream, 216)], TABULA_MAX_DICE)
