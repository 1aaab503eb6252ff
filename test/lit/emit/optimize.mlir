// RUN: tilewright-emit %s --target=cuda:90 --print=llir | FileCheck %s

// What the optimiser is for: loops are turned so that their test is at the bottom, what
// does not change leaves them, helpers are inlined and masked accesses take part.

// CHECK-LABEL: define ptx_kernel void @kernel
// CHECK:       %[[SCALE:.*]] = fmul float %{{.*}}, 2.000000e+00
// CHECK:       {{^}}[[LOOP:[0-9]+]]:
// CHECK:       phi float
// CHECK-NOT:   fmul float
// CHECK:       masked.load
// CHECK-NOT:   masked.load
// CHECK:       fmul float {{(%[0-9]+, )?}}%[[SCALE]]
// CHECK:       br i1 %{{.*}}, label %{{.*}}, label %[[LOOP]]
// CHECK-NOT:   @twice

llvm.func internal @twice(%x: f32) -> f32 {
  %two = llvm.mlir.constant(2.0 : f32) : f32
  %r = llvm.fmul %x, %two : f32
  llvm.return %r : f32
}

llvm.func @kernel(%x: !llvm.ptr<1>, %n: i32, %factor: f32, %on: i1) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %none = llvm.mlir.zero : vector<1xf32>
  %poison = llvm.mlir.poison : vector<1xi1>
  llvm.br ^test(%c0, %zero : i32, f32)
^test(%i: i32, %sum: f32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %scale = llvm.call @twice(%factor) : (f32) -> f32
  %mask = llvm.insertelement %on, %poison[%c0 : i32] : vector<1xi1>
  %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %a = llvm.intr.masked.load %p, %mask, %none {alignment = 4 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf32>) -> vector<1xf32>
  %b = llvm.intr.masked.load %p, %mask, %none {alignment = 4 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf32>) -> vector<1xf32>
  %a0 = llvm.extractelement %a[%c0 : i32] : vector<1xf32>
  %b0 = llvm.extractelement %b[%c0 : i32] : vector<1xf32>
  %ab = llvm.fadd %a0, %b0 : f32
  %scaled = llvm.fmul %ab, %scale : f32
  %next = llvm.fadd %sum, %scaled : f32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^test(%i1, %next : i32, f32)
^exit:
  llvm.store %sum, %x : f32, !llvm.ptr<1>
  llvm.return
}

// What is done with a loop's result is done behind the branch around the loop, not once in front of
// it for the loop and once, as a constant, for the way around: the epilogue would get narrow values.

// CHECK-LABEL: define ptx_kernel void @epilogue
// CHECK:       phi float
// CHECK:       br i1
// CHECK:       phi float {{.*}}0.000000e+00
// CHECK:       fptrunc float
// CHECK-NOT:   phi half
// CHECK:       ret void

llvm.func @epilogue(%x: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^test(%c0, %zero : i32, f32)
^test(%i: i32, %sum: f32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %a = llvm.load %p : !llvm.ptr<1> -> f32
  %next = llvm.fadd %sum, %a : f32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^test(%i1, %next : i32, f32)
^exit:
  %half = llvm.fptrunc %sum : f32 to f16
  llvm.store %half, %x : f16, !llvm.ptr<1>
  llvm.return
}
