// RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
// RUN: tilewright-emit %s --target=cuda:90 --print=llir | FileCheck %s --check-prefix=LLIR
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a -lineinfo %t.ptx -o %t.cubin %}

// Lines of the source in PTX, through names and calls that were inlined. `.target` has no
// `debug`, with which the assembler would not optimise.

// CHECK:       .target sm_90a{{$}}
// CHECK-LABEL: .entry scale(
// CHECK:       .loc [[KERNEL:[0-9]+]] 7 0
// CHECK:       .loc [[KERNEL]] 8 11
// CHECK-NEXT:  mov.u32 {{.*}} %tid.x
// CHECK:       .loc [[KERNEL]] 10 13
// CHECK-NEXT:  ld.global.b32
// CHECK:       .loc [[LIBRARY:[0-9]+]] 3 4
// CHECK-NEXT:  mul.f32
// CHECK:       .loc [[KERNEL]] 12 13
// CHECK-NEXT:  st.global.b32
// CHECK-DAG:   .file [[KERNEL]] "kernel.py"
// CHECK-DAG:   .file [[LIBRARY]] "lib.py"

// LLIR:     fmul float {{.*}}, !dbg [[MUL:![0-9]+]]
// LLIR:     emissionKind: DebugDirectivesOnly
// LLIR:     [[KERNEL:![0-9]+]] = distinct !DISubprogram(name: "scale"
// LLIR:     [[MUL]] = !DILocation(line: 3, column: 4, scope: {{![0-9]+}}, inlinedAt: [[SITE:![0-9]+]])
// LLIR:     [[SITE]] = {{.*}}!DILocation(line: 11, column: 9, scope: [[KERNEL]])

#kernel = loc("kernel.py":7:0)
#tid = loc("kernel.py":8:11)
#address = loc("kernel.py":9:12)
#load = loc("kernel.py":10:13)
#site = loc("kernel.py":11:9)
#store = loc("kernel.py":12:13)
#named = loc("offsets"(#tid))
#callee = loc("product"("lib.py":3:4))
#inlined = loc(callsite(#callee at #site))
#fused = loc(fused["kernel.py":12:13, "kernel.py":13:1])

llvm.func @scale(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %factor: f32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32 loc(#named)
  %from = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc(#address)
  %to = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc(#address)
  %value = llvm.load %from : !llvm.ptr<1> -> f32 loc(#load)
  %scaled = llvm.fmul %value, %factor : f32 loc(#inlined)
  llvm.store %scaled, %to : f32, !llvm.ptr<1> loc(#store)
  llvm.return loc(#fused)
} loc(#kernel)
