"""Random nests: whatever loops are called vectorized or unrolled, the program computes what it did loop by loop."""

from random import Random

import pytest
from stepwell.interpreters.run import run

LABELS = ("i", "j", "k")
OPS = ("addf", "subf", "mulf", "maximumf", "minimumf")
EXTENTS = {"unrolled": (0, 1, 2, 3, 5), "vectorized": (0, 1, 3, 4, 7, 8, 8, 9, 12, 16, 16, 17, 21)}
SHARDS = 8
PROGRAMS = 25


def access(rng, loops, strides):
    """An index `%v0 * 3 + %v1 + 1`, the condition that it may have, and the size that it needs."""
    factors = [rng.choice([0, 0, 1, 2, 3, 8, 16]) for _ in loops[:-1]]
    factors.append(rng.choice(strides))
    offset = rng.choice([0, 0, 1, 3, 8])
    ends = [max(0, lower + extent - 1) for lower, extent, _ in loops]
    size = offset + sum(f * end for f, end in zip(factors, ends, strict=True)) + 1
    index = " + ".join([*(f"%v{n} * {f}" for n, f in enumerate(factors) if f), str(offset)])
    guard = None
    if rng.random() < 0.25:
        n, bound = rng.randrange(len(loops)), rng.randint(0, 12)
        guard = f"{bound} - %v{n}" if rng.random() < 0.5 else f"%v{n} - {bound}"
    return index, guard, size


def block(rng, number, loops, sizes):
    """One block; the buffers grow to what it needs."""

    def place(buffer, padded):
        index, guard, size = access(rng, loops, [1] * 8 + ([0, 2, 3, 4] if padded else [0, 2]))
        sizes[buffer] = max(sizes[buffer], size)
        condition = f" if ({guard} >= 0)" if guard else ""
        return f"%{buffer}[{index}]{condition}{' else 0.5 : f32' if guard and padded else ''}"

    reads = [f"%x{n} = {place(rng.choice('aaabbbyz'), True)}" for n in range(rng.randint(1, 2))]
    updates = rng.random() < 0.5
    write = place(rng.choice("yz"), False)
    accesses = f"reads({', '.join(reads)}) writes({'%o = ' if updates else ''}{write})"
    second = "%x1" if len(reads) > 1 else "%c"
    last = "%o" if updates else rng.choice(["%x0", "%c"])
    operands = rng.sample(["%p", last], 2)
    # every iterator has to be used
    iterators = ", ".join(f"%v{n} : ordered = %{LABELS[n]}" for n in range(len(loops)) if f"%v{n}" in accesses)
    return f"""
loop.block "b{number}" ({iterators}) {accesses} {{
  %c = arith.constant {rng.choice(["0.0", "-0.0", "1.5"])} : f32
  %p = arith.{rng.choice(OPS)} %x0, {second} : f32
  %q = arith.{rng.choice(OPS)} {operands[0]}, {operands[1]} : f32
  %w = arith.addf %q, %c : f32
  loop.yield {rng.choice(["%q", "%q", "%w"])}
}}"""


def nest(rng):
    """A text, and the sizes of its buffers."""
    loops = []
    count = rng.randint(1, 3)
    for n in range(count):
        outer = ["serial", "serial", "unrolled", "vectorized", *(["parallel"] if n == 0 else [])]
        kind = rng.choice(outer if n < count - 1 else ["vectorized"] * 8 + outer)
        loops.append((rng.choice([0, 0, 0, 1, 3]), rng.choice(EXTENTS.get(kind, (0, 1, 3, 4, 9))), kind))
    sizes = {"a": 1, "b": 1, "y": 1, "z": 1}
    body = "\n".join(block(rng, number, loops, sizes) for number in range(rng.choice([1, 1, 2, 3])))
    for n in reversed(range(count)):
        lower, extent, kind = loops[n]
        body = f'loop.for "{LABELS[n]}" %{LABELS[n]} = {lower} to {lower + extent} {kind} {{\n{body}\n}}'
    arguments = ", ".join(f"%{name}: memref<{size}xf32>" for name, size in sizes.items())
    return f"func.func @main({arguments}) attributes {{outputs_count = 2 : i64}} {{\n{body}\nfunc.return\n}}", sizes


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_nest_computes_what_it_did(programs, shard):
    in_lanes = 0
    for seed in range(shard, PROGRAMS * SHARDS, SHARDS):
        rng = Random(seed)
        text, sizes = nest(rng)
        module = programs.parse_verified(text)
        values = {name: programs.plain(seed + n, size) for n, (name, size) in enumerate(sizes.items())}
        result = programs.converted(module, rng.choice(("generic", *programs.TARGETS[1:] * 3)))
        in_lanes += any(name.startswith("simd.") for name in programs.names(result))
        try:
            programs.assert_same_bits(run(result, None, values), run(module, None, values))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}:\n{text}\n{error}") from error
    assert in_lanes
