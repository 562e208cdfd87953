"""ONNX files as modules of `graph`."""

from .file import Source
from .importer import load

__all__ = ["Source", "load"]
