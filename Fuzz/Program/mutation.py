"""Random changes to bytes, made by a seeded generator."""

# Numbers at and beyond the limits of 32 and 64 bits.
NUMBERS = [
    b"0", b"-1", b"1", b"00", b"+1", b"255", b"256", b"65535", b"65536", b"2147483647",
    b"2147483648", b"4294967295", b"4294967296", b"9007199254740993", b"9223372036854775807",
    b"9223372036854775808", b"18446744073709551615", b"99999999999999999999", b"1e99", b"0x10",
]
# Texts that look like others, or that have broken other programs.
TEXTS = [
    b"\xe2\x84\xaa", b"\xcc\x81", b"a\xcc\x81", b"\xc3\xa1", b"\xe0\xb5\x8e", b"\xf0\x9f\x87\xa9",
    b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80", b"\x00", b"\r", b"\n", b"\r\n", b"\t",
    b" ", b"\x1b[2J", b"\x7f", b"\xc2\x85", b"../", b"..", b"/", b"\\", b"//", b"%00", b"%2e%2e%2f",
    b"%", b"\"", b"'", b";", b",", b"=", b":", b"*", b"{", b"}", b"[", b"]", b"null", b"true",
    b"Fri, 31 Dec 2300 23:59:59 GMT", b"Sun, 06 Nov 1994 08:49:37 GMT",
    b"Thu, 01 Jan 1970 00:00:00 GMT", b"chunked", b"gzip", b"identity", b"bytes", b"Basic",
    b"Digest", b"Negotiate", b"no-store", b"max-age=", b".part", b".part.resume", b"-rf",
]


def mutate(chance, data, most=4):
    """The bytes with a few changes, most of them small."""
    data = bytearray(data)
    for _ in range(chance.randint(1, most)):
        chance.choice(CHANGES)(chance, data)
    return bytes(data)


def _place(chance, data):
    return chance.randint(0, len(data))


def _flip(chance, data):
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _insert(chance, data):
    place = _place(chance, data)
    data[place:place] = chance.choice(TEXTS)


def _remove(chance, data):
    start = _place(chance, data)
    del data[start:start + chance.choice([1, 2, 8, 64])]


def _repeat(chance, data):
    start = _place(chance, data)
    piece = data[start:start + chance.choice([1, 8, 40])]
    data[start:start] = piece * chance.choice([1, 2, 1000])


def _number(chance, data):
    starts = [i for i in range(len(data)) if 0x30 <= data[i] <= 0x39]
    if not starts:
        return _insert(chance, data)
    start = end = chance.choice(starts)
    while start > 0 and 0x30 <= data[start - 1] <= 0x39:
        start -= 1
    while end < len(data) and 0x30 <= data[end] <= 0x39:
        end += 1
    data[start:end] = chance.choice(NUMBERS)


def _word(chance, data):
    """Overwrites an aligned word with a number in binary."""
    start = chance.randrange(len(data) + 1) // 8 * 8
    size = chance.choice([4, 8])
    number = chance.choice([0, 1, (1 << 8 * size - 1) - 1, 1 << 8 * size - 1, (1 << 8 * size) - 1])
    data[start:start + size] = number.to_bytes(size, "little")


def _line(chance, data):
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    if chance.random() < 0.5:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines.insert(one, lines[other])
    data[:] = b"\n".join(lines)


def _cut(chance, data):
    del data[_place(chance, data):]


CHANGES = [_flip, _flip, _insert, _insert, _remove, _repeat, _number, _number, _word, _line, _cut]
