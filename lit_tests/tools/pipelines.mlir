// RUN: stepwell-opt %s -p cse,dce | filecheck %s
// RUN: stepwell-opt %s -p 'cse,canonicalize' --print-between-passes | filecheck %s --check-prefixes BETWEEN,CHECK
// RUN: stepwell-opt %s -p dce > %t && stepwell-opt -f mlir %t -p cse | filecheck %s
// RUN: stepwell-opt %s | stepwell-opt -p cse | filecheck %s
// RUN: not stepwell-opt %s -p csee 2>&1 | filecheck %s --check-prefix NO-PASS
// RUN: not stepwell-opt %s -p 'dce{deep=true}' 2>&1 | filecheck %s --check-prefix NO-OPTION
// RUN: not stepwell-opt %s -p 'dce{' 2>&1 | filecheck %s --check-prefix TEXT

// NO-PASS:   pipelines.mlir: error: no pass is called 'csee'; did you mean 'cse'?
// NO-OPTION: pipelines.mlir: error: pass 'dce' has no option 'deep'; it takes none
// TEXT:      pipelines.mlir: error: pipeline 'dce{': pass-pipeline:1:5

// BETWEEN:   // IR after cse:
// CHECK:     func.func @f(%[[X:.*]]: i32) -> i32
// CHECK-NEXT:  %[[Y:.*]] = arith.addi %[[X]], %[[X]] : i32
// CHECK-NEXT:  func.return %[[Y]]
func.func @f(%x : i32) -> i32 {
  %y = arith.addi %x, %x : i32
  %z = arith.addi %x, %x : i32
  func.return %y : i32
}
