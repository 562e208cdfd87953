"""Random nests: whatever loops are called vectorized or unrolled, the program computes what it did loop by loop."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.interpreters.run import run

LABELS = ("i", "j", "k")
OPS = ("addf", "subf", "mulf", "maximumf", "minimumf")


@st.composite
def accesses(draw, loops, elements):
    """An index `3 * i + j + 1` (or by a number that was read), the guard it may have, and the size it needs."""
    factors = [draw(st.sampled_from([0, 0, 1, 1, 1, 2, 3, 4, 8])) for _ in loops]
    offset = draw(st.integers(0, 3))
    size = (
        offset + sum(f * max(0, extent - 1 + lower) for f, (lower, extent, _) in zip(factors, loops, strict=True)) + 1
    )
    index = " + ".join([*(f"%v{n} * {f}" for n, f in enumerate(factors) if f), str(offset)])
    guard = None
    if draw(st.integers(0, 3)) == 0:
        n = draw(st.integers(0, len(loops) - 1))
        bound = draw(st.integers(0, 9))
        guard = f"{bound} - %v{n}" if draw(st.booleans()) else f"%v{n} - {bound}"
    return index, guard, size


@st.composite
def nests(draw):
    """A text, and the sizes of its buffers."""
    loops = []
    for n in range(draw(st.integers(1, 3))):
        kinds = ["serial", "unrolled", "vectorized", "vectorized"] + (["parallel"] if n == 0 else [])
        kind = draw(st.sampled_from(kinds))
        loops.append(
            (draw(st.sampled_from([0, 0, 0, 1, 3])), draw(st.integers(0, 6 if kind == "unrolled" else 20)), kind)
        )
    sizes = {"a": 1, "b": 1, "y": 1, "z": 1}
    blocks = []
    for number in range(draw(st.integers(1, 3))):
        reads = []
        for n in range(draw(st.integers(1, 2))):
            buffer = draw(st.sampled_from(["a", "b", "y", "z"]))
            index, guard, size = draw(accesses(loops, sizes))
            sizes[buffer] = max(sizes[buffer], size)
            condition = f" if ({guard} >= 0) else 0.5 : f32" if guard else ""
            reads.append(f"%x{n} = %{buffer}[{index}]{condition}")
        buffer = draw(st.sampled_from(["y", "z"]))
        index, guard, size = draw(accesses(loops, sizes))
        sizes[buffer] = max(sizes[buffer], size)
        condition = f" if ({guard} >= 0)" if guard else ""
        updates = draw(st.booleans())
        first, second = draw(st.sampled_from(OPS)), draw(st.sampled_from(OPS))
        values = ["%x0", "%x1" if len(reads) > 1 else "%c"]
        last = "%o" if updates else draw(st.sampled_from(["%x0", "%c"]))
        order = draw(st.permutations(["%p", last]))
        blocks.append(f"""
loop.block "b{number}" ({", ".join(f"%v{n} : ordered = %{LABELS[n]}" for n in range(len(loops)))})
    reads({", ".join(reads)}) writes({"%o = " if updates else ""}%{buffer}[{index}]{condition}) {{
  %c = arith.constant {draw(st.sampled_from(["0.0", "-0.0", "1.5"]))} : f32
  %p = arith.{first} {values[0]}, {values[1]} : f32
  %q = arith.{second} {order[0]}, {order[1]} : f32
  %w0 = arith.addf %q, %c : f32
  loop.yield {draw(st.sampled_from(["%q", "%w0"]))}
}}""")
    body = "\n".join(blocks)
    for n in reversed(range(len(loops))):
        lower, extent, kind = loops[n]
        body = f'loop.for "{LABELS[n]}" %{LABELS[n]} = {lower} to {lower + extent} {kind} {{\n{body}\n}}'
    arguments = ", ".join(f"%{name}: memref<{size}xf32>" for name, size in sizes.items())
    return f"func.func @main({arguments}) attributes {{outputs_count = 2 : i64}} {{\n{body}\nfunc.return\n}}", sizes


def unused_iterators_dropped(text):
    """A block must use all of its iterators: those that it does not are summed up in its body."""
    lines, result = text.split("\n"), []
    for number, line in enumerate(lines):
        if line.startswith("loop.block"):
            rest = "\n".join(lines[number + 1 : number + 2])
            head, _, tail = line.partition("(")
            kept = [part for part in tail[:-1].split(", ") if f"{part.split(' ')[0]} " in rest.replace("*", " *")]
            line = f"{head}({', '.join(kept)})"
        result.append(line)
    return "\n".join(result)


@settings(max_examples=150)
@given(nests(), st.integers(0, 5), st.sampled_from(["generic", "c-vector", "avx2", "avx512"]))
def test_a_nest_computes_what_it_did(programs, nest, seed, target):
    text, sizes = nest
    module = programs.parse_verified(unused_iterators_dropped(text))
    values = {name: programs.plain(seed + n, size) for n, (name, size) in enumerate(sizes.items())}
    with np.errstate(all="ignore"):
        programs.assert_same_bits(run(programs.converted(module, target), None, values), run(module, None, values))
