"""The primitives by the word of their step: one line each, from which steps, passes and the page are made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .declaration import Primitive
from .edges import PAD, PEEL, pad_loop, peel
from .epilogue import EPILOGUE, epilogue
from .inlining import INLINE, inline_block
from .kinds import KIND, set_kind
from .loops import FUSE, REORDER, SPLIT, fuse, reorder, split
from .merging import MERGE, merge
from .placing import COMPUTE_AT, CONTRACT, compute_at, contract_buffer
from .reading import CACHE_READ, cache_read
from .reductions import CACHE_WRITE, DECOMPOSE, RFACTOR, cache_write, decompose_reduction, rfactor

PRIMITIVES: Mapping[str, Primitive] = MappingProxyType(
    {
        primitive.declaration.word: primitive
        for primitive in (
            Primitive(SPLIT, split),
            Primitive(FUSE, fuse),
            Primitive(REORDER, reorder),
            Primitive(PEEL, peel),
            Primitive(PAD, pad_loop),
            Primitive(MERGE, merge),
            Primitive(INLINE, inline_block),
            Primitive(DECOMPOSE, decompose_reduction, every=lambda block: block.has_init),
            Primitive(CACHE_READ, cache_read),
            Primitive(CACHE_WRITE, cache_write),
            Primitive(EPILOGUE, epilogue),
            Primitive(COMPUTE_AT, compute_at),
            Primitive(RFACTOR, rfactor),
            Primitive(CONTRACT, contract_buffer),
            Primitive(KIND, set_kind),
        )
    }
)
