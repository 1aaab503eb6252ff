// RUN: tilewright-emit %s --target=cuda:80 | FileCheck %s -DVERSION=7.0 -DPROCESSOR=sm_80
// RUN: tilewright-emit %s --target=cuda:86 | FileCheck %s -DVERSION=7.1 -DPROCESSOR=sm_86
// RUN: tilewright-emit %s --target=cuda:89 | FileCheck %s -DVERSION=8.4 -DPROCESSOR=sm_89
// RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s -DVERSION=8.4 -DPROCESSOR=sm_90a
// RUN: tilewright-emit %s --target=cuda:100 | FileCheck %s -DVERSION=8.8 -DPROCESSOR=sm_100a
// RUN: tilewright-emit %s --target=cuda:120 | FileCheck %s -DVERSION=8.8 -DPROCESSOR=sm_120a
// RUN: tilewright-emit %s --target=cuda:103 | FileCheck %s -DVERSION=8.8 -DPROCESSOR=sm_103a
// RUN: tilewright-emit %s --target=cuda:110 | FileCheck %s -DVERSION=9.0 -DPROCESSOR=sm_110a
// RUN: tilewright-emit %s --target=cuda:121 | FileCheck %s -DVERSION=8.8 -DPROCESSOR=sm_121a
// RUN: not tilewright-emit %s --target=cuda:91 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:80 -o %t.80 && %ptxas -arch sm_80 %t.80 -o %t.cubin %}
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:86 -o %t.86 && %ptxas -arch sm_86 %t.86 -o %t.cubin %}
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:89 -o %t.89 && %ptxas -arch sm_89 %t.89 -o %t.cubin %}
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.90 && %ptxas -arch sm_90a %t.90 -o %t.cubin %}
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:100 -o %t.100 && %ptxas -arch sm_100a %t.100 -o %t.cubin %}
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:120 -o %t.120 && %ptxas -arch sm_120a %t.120 -o %t.cubin %}

// The PTX version of each target, the block size, one register for a shared-memory
// address, and one fused instruction for a product and a sum.

// UNKNOWN: error: unknown target 'cuda:91'

// CHECK:       .version [[VERSION]]
// CHECK-NEXT:  .target [[PROCESSOR]]{{$}}
// CHECK:       .extern .shared .align 16 .b8 scratch[];
// CHECK-LABEL: .visible .entry axpy(
// CHECK:       .reqntid 64
// CHECK:       bar.sync 0;
// CHECK:       ld.shared.b32 [[Y:%r[0-9]+]], [[[ADDRESS:%r[0-9]+]]
// CHECK:       fma.rn.f32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[Y]];

llvm.mlir.global external @scratch() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

llvm.func @axpy(%x: !llvm.ptr<1>, %factor: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %shared = llvm.mlir.addressof @scratch : !llvm.ptr<3>
  %mine = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %at = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %value = llvm.load %at : !llvm.ptr<1> -> f32
  llvm.store %value, %mine : f32, !llvm.ptr<3>
  nvvm.barrier0
  %c63 = llvm.mlir.constant(63 : i32) : i32
  %reversed = llvm.sub %c63, %tid : i32
  %other = llvm.getelementptr %shared[%reversed] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %y = llvm.load %other : !llvm.ptr<3> -> f32
  %product = llvm.fmul %value, %factor : f32
  %sum = llvm.fadd %product, %y : f32
  llvm.store %sum, %at : f32, !llvm.ptr<1>
  llvm.return
}
