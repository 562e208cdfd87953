"""Elementwise nests put into one another: what a long chain costs, and that it computes what it did."""

import numpy as np
import stepwell
from stepwell import GraphBuilder, tensor
from stepwell.dialects.loop import BlockOp
from stepwell.transforms import inline_elementwise

LENGTH = 64


def chain():
    b = GraphBuilder()
    with b.function("main", {"x": tensor((5,))}) as (x,):
        for n in range(LENGTH):
            x = b.negate(b.multiply(x, np.float32(2 + n / LENGTH)))
        b.emit_func_output(x)
    return stepwell.lower(b.get(), stop_after="buffers")


def test_a_chain_is_one_block_and_its_blocks_are_copied_few_times(monkeypatch):
    module = chain()
    copied = []

    def counted(producer, consumer):
        copied.extend(op for block in (producer, consumer) for op in block.body.block.ops)
        return original(producer, consumer)

    original = inline_elementwise.inline_block
    monkeypatch.setattr(inline_elementwise, "inline_block", counted)
    after = stepwell.apply("inline-elementwise", module)
    count = {m: sum(isinstance(op, BlockOp) for op in m.walk()) for m in (module, after)}
    assert count[module] == 2 * LENGTH
    assert count[after] == 1
    # each block is halved seven times, where one after the other would be half the square of their number
    assert len(copied) < 2 * LENGTH * 2 * (7 + 1)
    x = np.array([1, -2.5, np.nan, np.inf, -0.0], np.float32)
    assert stepwell.run(after, x).tobytes() == stepwell.run(module, x).tobytes()
