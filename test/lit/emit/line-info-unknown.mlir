// RUN: tilewright-emit %s --target=cuda:90 --print=llir | FileCheck %s

// Call sites whose inner place is no line of a file, as of ops that passes have made in an inlined
// function: the code has the place of the call.

// CHECK-DAG: fmul float {{.*}}, !dbg [[MUL:![0-9]+]]
// CHECK-DAG: fadd float {{.*}}, !dbg [[ADD:![0-9]+]]
// CHECK-DAG: [[MUL]] = !DILocation(line: 11, column: 9,
// CHECK-DAG: [[ADD]] = !DILocation(line: 12, column: 5,

#kernel = loc("kernel.py":7:0)
#call = loc("kernel.py":11:9)
#other = loc("kernel.py":12:5)

llvm.func @scale(%x: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
  %value = llvm.load %x : !llvm.ptr<1> -> f32 loc(#kernel)
  %product = llvm.fmul %value, %a : f32 loc(callsite(unknown at #call))
  %sum = llvm.fadd %product, %a : f32 loc(callsite("sum"(unknown) at callsite(unknown at #other)))
  llvm.store %sum, %x : f32, !llvm.ptr<1> loc(#kernel)
  llvm.return loc(#kernel)
} loc(#kernel)
