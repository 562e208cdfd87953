"""Identifiers that are safe in C whatever a model calls its values."""

from __future__ import annotations

import re


def _words(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


KEYWORDS = _words(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    asm typeof bool true false nullptr alignas alignof constexpr static_assert thread_local complex imaginary noreturn
    and and_eq bitand bitor catch class compl concept const_cast co_await co_return co_yield decltype delete
    dynamic_cast explicit export friend mutable namespace new noexcept not not_eq operator or or_eq private protected
    public reinterpret_cast requires static_cast template this throw try typeid typename using virtual wchar_t xor
    xor_eq
    """
)
"""Words of C and, since the header may be included there, of C++."""

_FLOAT_FUNCTIONS = _words(
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 exp10 expm1 fabs fdim
    finite floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llrint llround log log10
    log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven
    scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn lgamma_r gamma_r
    """
)

LIBRARY = frozenset(f"{name}{suffix}" for name in _FLOAT_FUNCTIONS for suffix in ("", "f", "l")) | _words(
    """
    main abort abs alloca assert atexit atof atoi bcmp bcopy bzero calloc close creat div environ errno exit ffs ffsl
    ffsll fork fpclassify free getenv index isfinite isgreater isless isnormal isunordered kill labs link llabs malloc
    memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memset open optarg opterr optind optopt pipe printf
    puts qsort raise rand random read realloc remove rename rindex select signal signbit signgam sleep sprintf srand
    stat stdin stdout stderr stpcpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strfry
    strlen strncat strncmp strncpy strpbrk strrchr strsep strsignal strspn strstr strtok strtol strxfrm swab system
    time timezone tzname daylight times unlink wait write size_t ptrdiff_t max_align_t intmax_t uintmax_t
    intptr_t uintptr_t ssize_t div_t float_t double_t locale_t off_t time_t uint ushort ulong
    linux unix i386 near far huge small interface I
    """
)
"""Names that the included headers, the C library or the compiler's own macros have taken."""

_PATTERNS = re.compile(r"u?int(_fast|_least)?\d+_t|[fiu]\d+x\d+u?|sw_.*|SW_.*|[A-Z][A-Z0-9_]+")
"""Fixed-width integers, our vector types and helpers, and the space of macros."""

_LONGEST = 48


def is_reserved(name: str) -> bool:
    """Whether C, its library or the helpers of the emitted file have taken this name."""
    return name in KEYWORDS or name in LIBRARY or _PATTERNS.fullmatch(name) is not None


def spelled(text: str, fallback: str = "v") -> str:
    """Any text as a C identifier, perhaps a reserved one: other characters become `_`."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")[:_LONGEST].rstrip("_")
    if not word:
        return fallback
    return f"{fallback}{word}" if word[0].isdigit() else word


def prefix_of(name: str) -> str:
    """The name of a model as the prefix of all its symbols."""
    word = spelled(name, "model")
    return f"model_{word}" if f"{word}_".lower().startswith("sw_") else word


class Names:
    """The names taken in one scope; `around` holds those of the scope outside it."""

    def __init__(self, around: Names | None = None):
        self.around = around
        self.taken: set[str] = set()
        self.next_number: dict[str, int] = {}

    def has(self, name: str) -> bool:
        """Whether the name is taken, here or outside."""
        return name in self.taken or (self.around is not None and self.around.has(name))

    def take(self, text: str, fallback: str = "v") -> str:
        """A new identifier that is like `text`: itself, or with `_1`, `_2`, … where it is taken or reserved."""
        name = spelled(text, fallback)
        # A number behind it must not make a reserved name of another one: `N_1` may be a macro, where `N` is none.
        stem = f"v_{name.lower()}" if _PATTERNS.fullmatch(f"{name}_1") else name
        while is_reserved(name) or self.has(name):
            number = self.next_number.get(stem, 1)
            self.next_number[stem] = number + 1
            name = f"{stem}_{number}"
        self.taken.add(name)
        return name


def comment(text: str) -> str:
    """Any text as the inside of a block comment, on one line."""
    line = "".join(c if c.isprintable() else " " for c in text)
    while "*/" in line or "/*" in line:
        line = line.replace("*/", "* /").replace("/*", "/ *")
    return line


def string_literal(text: str) -> str:
    """Any text as a C string literal: ASCII, no trigraphs, the bytes of UTF-8 escaped."""
    parts: list[str] = []
    for byte in text.encode("utf-8", "surrogateescape"):
        character = chr(byte)
        if character in '"\\?':
            parts.append(f"\\{character}")
        elif 32 <= byte < 127:
            parts.append(character)
        else:
            parts.append(f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'
