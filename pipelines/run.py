"""Running one pass so that whatever goes wrong in it says which pass it was."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ..errors import Error, PipelineError, VerifyError
from ..rewriting import verify


def run_pass(pass_: ModulePass, context: Context, module: ModuleOp, *, verified: bool = True) -> None:
    """
    Apply `pass_` to `module`, in place, and verify what it leaves.

    Our own errors pass through; every other exception becomes a `PipelineError` with the name of the pass.
    """
    try:
        pass_.apply(context, module)
    except Error:
        raise
    except DiagnosticException as error:
        raise PipelineError(f"pass '{pass_.name}': {error}") from error
    except Exception as error:
        raise PipelineError(f"pass '{pass_.name}' failed ({type(error).__name__}: {error})") from error
    if not verified:
        return
    try:
        verify(module)
    except VerifyError as error:
        raise VerifyError(f"{error}\n  after pass '{pass_.name}'") from error
