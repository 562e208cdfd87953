"""ONNX files as modules of `graph`."""

from .file import Source
from .importer import load
from .inputs import Shapes

__all__ = ["Shapes", "Source", "load"]
