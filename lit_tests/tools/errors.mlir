// RUN: not stepwell-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix FIRST
// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s

// FIRST:      errors.mlir:9: error: values used but not defined: [%nowhere]
// FIRST-NEXT: "test.op"(%nowhere)
// FIRST-NEXT: {{ +\^}}

// CHECK:      errors.mlir:9: error: values used but not defined: [%nowhere]
"test.op"(%nowhere) : (i32) -> ()

// -----

// CHECK:      errors.mlir:15: error: Operation foo.bar is not registered
func.func @f() {
  foo.bar
  func.return
}

// -----

// CHECK:      errors.mlir:23: error: 'func.call': no symbol @nowhere in this module
func.func @f() {
  func.call @nowhere() : () -> ()
  func.return
}

// -----

// CHECK:      errors.mlir:31: error: 'arith.addi': uses %late of 'arith.constant', which is not defined before it
func.func @f(%x : i32) {
  %y = arith.addi %x, %late : i32
  %late = arith.constant 1 : i32
  func.return
}

// -----

// CHECK:      func.func @good
func.func @good() {
  func.return
}
