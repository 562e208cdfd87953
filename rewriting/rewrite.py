"""Applying patterns until none fires, with what xDSL's walker leaves out: origins, a limit, a culprit's name."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener, PatternRewriteWalker, RewritePattern
from xdsl.rewriter import InsertPoint

from ..dialects.origin import give_origin, located
from ..errors import Error, PipelineError
from .visit import walk

REWRITES_PER_OP = 100
"""How many rewrites per operation are taken for progress; patterns that undo each other would go on for ever."""


def rewrite(root: Operation, patterns: Sequence[RewritePattern], *, name: str, recursively: bool = True) -> bool:
    """
    Apply `patterns`, the first that fires winning, to everything inside `root`; true if anything changed.

    Goes on until no pattern fires; with `recursively` off every operation is tried once, and new ones are not.
    What a pattern inserts without a location takes that of the operation it matched.
    """
    walker = _Walker(patterns, name, recursively)
    changed = False
    for region in root.regions:
        walker.limit = 1000 + REWRITES_PER_OP * sum(1 for block in region.blocks for op in block.ops for _ in walk(op))
        changed |= walker.rewrite_region(region)
    return changed


class _Ordered(RewritePattern):
    """The first of several patterns that fires."""

    def __init__(self, patterns: Sequence[RewritePattern]):
        self.patterns = tuple(patterns)
        self.current: RewritePattern | None = None

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for pattern in self.patterns:
            self.current = pattern
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return


class _Walker(PatternRewriteWalker):
    """xDSL's walker with its inner loop written again: its own prints the whole module into every error."""

    def __init__(self, patterns: Sequence[RewritePattern], name: str, recursively: bool):
        self.ordered = _Ordered(patterns)
        self.name = name
        self.limit = 0
        self.location: LocationAttr = UnknownLoc()
        listener = PatternRewriterListener(operation_insertion_handler=[self._give_origin])
        super().__init__(self.ordered, apply_recursively=recursively, listener=listener)

    def _give_origin(self, op: Operation) -> None:
        if not isinstance(self.location, UnknownLoc):
            give_origin(op, self.location)

    def _process_worklist(self, listener: PatternRewriterListener) -> bool:
        changed = False
        while self._worklist:
            op = self._worklist.pop()
            if op.parent is None:
                continue  # a pattern took it out by other means than its rewriter
            rewriter = PatternRewriter(op)
            rewriter.extend_from_listener(listener)
            rewriter.insertion_point = InsertPoint.before(op)
            self.location = op.location
            try:
                self.pattern.match_and_rewrite(op, rewriter)
            except Error:
                raise
            except Exception as error:
                raise self._error(op, f"failed: {error or type(error).__name__}") from error
            if rewriter.has_done_action:
                changed = True
                self.limit -= 1
                if self.limit < 0:
                    raise self._error(op, "still fires after very many rewrites: the patterns undo each other")
        return changed

    def _error(self, op: Operation, what: str) -> PipelineError:
        return PipelineError(located(op, f"pass '{self.name}': pattern {type(self.ordered.current).__name__} {what}"))
