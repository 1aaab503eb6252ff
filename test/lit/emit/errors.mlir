// RUN: not tilewright-emit %s 2>&1 | FileCheck %s

// Operations that have no translation are named with their place.

// CHECK: errors.mlir:[[# @LINE + 4]]:{{[0-9]+}}: error: {{.*}}nvvm.no_such_thing

module {
  llvm.func @kernel() attributes {nvvm.kernel} {
    "nvvm.no_such_thing"() : () -> ()
    llvm.return
  }
}
