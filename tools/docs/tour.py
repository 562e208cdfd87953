"""`docs/reference/tour.md`: one small model after every stage, and its C."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...compiler import parse
from ...dialects.loop import ScheduleAttr
from ...dialects.signature import SCHEDULE
from ...emitters.c import emit_module
from ...pipelines import OPTIMISED, Stage, run_stages
from ...targets import target_named
from .markdown import assembled, code
from .pipelines import pass_link

MODEL = """
func.func @main(%x : tensor<2x4xf32>) -> tensor<2x4xf32> attributes {inputs = ["x"], outputs = ["y"]} {
  %w = graph.constant #graph.array<[[1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.5],
                                    [2.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0]] : tensor<4x4xf32>>
  %b = graph.constant #graph.array<[0.5, -0.5, 1.0, -1.0] : tensor<4xf32>>
  %p = graph.matmul %x, %w : tensor<2x4xf32>, tensor<4x4xf32> -> tensor<2x4xf32>
  %s = graph.add %p, %b : tensor<2x4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  %y = graph.relu %s : tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
"""

TARGET = "c-vector"

INTRODUCTION = f"""
A layer of a network, for the target `{TARGET}`: four lanes of f32. `stepwell compile model.onnx --print-stages` shows
any model in this way. Below each stage stand the parts of the module that it has changed.
"""

REMARKS = {
    "fused": """
The three ops are one private function now, marked primitive: what is fused stays together all the way down.
""",
    "loop": """
Each op is a loop nest around one block. The block says what it reads and writes, and which of its iterators reduce; its
body is scalar arithmetic. The nests follow each other, with buffers between them.
""",
    "buffers": """
Weights are constants of the module, and the caller hands in the buffer for the result.
""",
    "scheduled": """
The product is tiled into registers; the addition and the relu stand where its sums are done.
""",
    "flat": """
Each access has one index.
""",
    "simd": """
The registers are values that the loop carries. `max(x, 0)` is the machine's cheap maximum, plus 0; together they keep
NaN and the sign of zero as they should be.
""",
    "clean": """
What was said twice is gone, and every buffer has its place in the workspace; this model needs none.
""",
}
"""What to look at after a stage."""


class _Tour:
    """The sections of the page, one for each stage that is over."""

    def __init__(self) -> None:
        self.sections: list[str] = []
        self.steps: list[str] = []
        self.before: set[str] = set()

    def after_pass(self, stage: str, pass_: ModulePass, module: ModuleOp) -> None:
        """Keep the steps of a schedule, which the next pass does and removes."""
        for op in module.walk():
            schedule = op.attributes.get(SCHEDULE)
            if isinstance(schedule, ScheduleAttr):
                self.steps = [step.data for step in schedule.steps]

    def after_stage(self, stage: Stage, module: ModuleOp) -> None:
        """Write the section of a stage."""
        self.sections.append(f"## {stage.name}")
        passes = ", ".join(map(pass_link, stage.passes))
        self.sections.append(f"Promise: {stage.promise}.  \nPasses: {passes}.")
        self.sections.append(REMARKS.get(stage.name, ""))
        if self.steps:
            self.sections += ["The steps of the schedule were:", code("\n".join(self.steps), "text")]
            self.steps = []
        texts = list(map(str, module.body.block.ops))
        changed = [text for text in texts if text not in self.before]
        self.sections.append(code("\n".join(changed)) if changed else "Everything is as before.")
        self.before = set(texts)


def page() -> str:
    """The page of the tour."""
    module = parse(MODEL, "tour.mlir")
    target = target_named(TARGET)
    tour = _Tour()
    run_stages(module, OPTIMISED(target), after_pass=tour.after_pass, after_stage=tour.after_stage)
    source = emit_module(module, target, "tour")
    return assembled(
        "A tour of the way down",
        INTRODUCTION,
        code(MODEL),
        *tour.sections,
        "## C",
        "One op, one line. The header says how it is called.",
        code(source.code, "c"),
        code(source.header, "c"),
    )
