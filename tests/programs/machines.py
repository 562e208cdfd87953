"""Compiled C for every target on one machine: for itself where it can, and emulated where it is AVX-512 on AVX2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import stepwell
from stepwell import runtime
from stepwell.compiler import program_of
from stepwell.emitters.c import Source
from stepwell.runtime import Model, Program
from stepwell.targets import Target, runs_here, target_named

EMULATION = Path(__file__).with_name("avx512_emulation.h")


def can_run(target: Target) -> bool:
    """Whether code for `target` can be run here, emulated if need be."""
    return runs_here(target) or (target.name == "avx512" and runs_here(target_named("avx2")))


def compiled(model: Any, target: Target, stages: Any) -> Model:
    """A model for `target`, whose code this machine runs or emulates."""
    return runtime.load(program_for(stepwell.emit(model, target, stages=stages), target))


def program_for(source: Source, target: Target, function: str | None = None) -> Program:
    """What the runtime needs to run emitted C here; `can_run` says whether it can."""
    program = program_of(source, function)
    if runs_here(target):
        return program
    return replace(program, flags=(*target_named("avx2").flags, "-Wno-psabi", "-include", str(EMULATION)))
