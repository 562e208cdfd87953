"""How it comes down: passes from one dialect to the next. None may be left out."""

CONVERSIONS: dict[str, str] = {
    "infer-shapes": "conversions.infer_shapes:InferShapesPass",
    "convert-graph-to-loop": "conversions.graph_to_loop:ConvertGraphToLoopPass",
    "fuse-loop-functions": "conversions.fuse_loop_functions:FuseLoopFunctionsPass",
    "convert-calls-to-buffers": "conversions.calls_to_buffers:ConvertCallsToBuffersPass",
    "check-bounds": "conversions.check_bounds:CheckBoundsPass",
    "flatten-storage": "conversions.flatten_storage:FlattenStoragePass",
    "convert-loop-to-simd": "conversions.loop_to_simd:ConvertLoopToSimdPass",
    "plan-buffers": "conversions.plan_buffers:PlanBuffersPass",
}
"""Pass name -> `"module:CLASS"` within the package, loaded when first used."""
