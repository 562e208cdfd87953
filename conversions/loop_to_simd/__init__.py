"""`loop` -> `simd`: blocks to loads, arithmetic and stores, in lanes where loops say so and the target can."""

from .convert import ConvertLoopToSimdPass as ConvertLoopToSimdPass
from .convert import convert_function as convert_function
