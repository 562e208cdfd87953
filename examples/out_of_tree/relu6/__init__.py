"""A dialect `clip` with one op, found by stepwell-opt and xdsl-opt through the entry point `xdsl.universe`."""

from xdsl.universe import Universe


def load_dialect():
    from .meaning import Clip

    return Clip


def load_pass():
    from .fuse import FuseRelu6Pass

    return FuseRelu6Pass


UNIVERSE = Universe(all_dialects={"clip": load_dialect}, all_passes={"fuse-relu6": load_pass})
