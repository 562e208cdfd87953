"""Changing and checking IR: the walker that keeps origins, the verifier with dominance, visitors."""

from .decompose import decompose_reduction as decompose_reduction
from .decompose import decompose_reductions as decompose_reductions
from .rewrite import rewrite as rewrite
from .verify import VerifiesSymbols as VerifiesSymbols
from .verify import verify as verify
from .verify import verify_dominance as verify_dominance
from .visit import post_order_visit as post_order_visit
from .visit import transform as transform
from .visit import walk as walk
