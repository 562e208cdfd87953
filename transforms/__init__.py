"""How it gets better: passes that stay in their dialect. Every one may be left out."""

TRANSFORMS: dict[str, str] = {
    "canonicalize-graph": "transforms.canonicalize_graph:CanonicalizeGraphPass",
    "fold-constants": "transforms.fold_constants:FoldConstantsPass",
    "fuse-multiply-add": "transforms.fuse_multiply_add:FuseMultiplyAddPass",
    "fuse-matmul-add": "transforms.fuse_matmul_add:FuseMatmulAddPass",
    "fuse-elementwise": "transforms.fuse_elementwise:FuseElementwisePass",
    "reorder-concat-relu": "transforms.reorder_concat_relu:ReorderConcatReluPass",
    "eliminate-dead-functions": "transforms.eliminate_dead_functions:EliminateDeadFunctionsPass",
    "simplify-indices": "transforms.simplify_indices:SimplifyIndicesPass",
    "hoist-invariants": "transforms.hoist_invariants:HoistInvariantsPass",
    "apply-schedule": "transforms.apply_schedule:ApplySchedulePass",
    "split-loop": "transforms.primitives.passes:SplitLoopPass",
    "fuse-loops": "transforms.primitives.passes:FuseLoopsPass",
    "reorder-loops": "transforms.primitives.passes:ReorderLoopsPass",
    "peel-loop": "transforms.primitives.passes:PeelLoopPass",
    "pad-loop": "transforms.primitives.passes:PadLoopPass",
    "merge-loops": "transforms.primitives.passes:MergeLoopsPass",
    "inline-block": "transforms.primitives.passes:InlineBlockPass",
    "decompose-reduction": "transforms.primitives.passes:DecomposeReductionPass",
    "cache-write": "transforms.primitives.passes:CacheWritePass",
    "epilogue": "transforms.primitives.passes:EpiloguePass",
    "compute-at": "transforms.primitives.passes:ComputeAtPass",
    "rfactor": "transforms.primitives.passes:RfactorPass",
    "contract-buffer": "transforms.primitives.passes:ContractBufferPass",
    "set-loop-kind": "transforms.primitives.passes:SetLoopKindPass",
}
"""Pass name -> `"module:CLASS"` within the package, loaded when first used."""
