"""Buffers to places in one workspace: lifetimes, an arena with offsets, no allocation left."""

from .plan import PlanBuffersPass as PlanBuffersPass
