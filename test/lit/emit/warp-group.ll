; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}

; Products of warpgroups and their waits: accumulators are one register before and after, so that
; ptxas keeps products asynchronous. It says C75xx where it does not.

; PTXAS-NOT: C75

; CHECK: .target sm_90a{{$}}

; A loop with one product under way, which ends with a wait for all.
; CHECK-LABEL: .entry loop(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[C:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, %p{{[0-9]+}}, 1, 1, 0, 1;
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @loop(i64 %a, i64 %b, i32 %n, ptr addrspace(1) %out) #0 {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c0 = phi float [ 0.0, %entry ], [ %w0, %body ]
  %c1 = phi float [ 0.0, %entry ], [ %w1, %body ]
  %c2 = phi float [ 0.0, %entry ], [ %w2, %body ]
  %c3 = phi float [ 0.0, %entry ], [ %w3, %body ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call {float, float, float, float} @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(float %c0, float %c1, float %c2, float %c3, i64 %a, i64 %b, i1 true, i1 false, i1 true)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d0 = extractvalue {float, float, float, float} %d, 0
  %d1 = extractvalue {float, float, float, float} %d, 1
  %d2 = extractvalue {float, float, float, float} %d, 2
  %d3 = extractvalue {float, float, float, float} %d, 3
  %w = call {float, float, float, float} @tilewright.wgmma.wait_group.f32x4(i32 1, float %d0, float %d1, float %d2, float %d3)
  %w0 = extractvalue {float, float, float, float} %w, 0
  %w1 = extractvalue {float, float, float, float} %w, 1
  %w2 = extractvalue {float, float, float, float} %w, 2
  %w3 = extractvalue {float, float, float, float} %w, 3
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %end
end:
  %e = call {float, float, float, float} @tilewright.wgmma.wait_group.f32x4(i32 0, float %w0, float %w1, float %w2, float %w3)
  %e0 = extractvalue {float, float, float, float} %e, 0
  %e3 = extractvalue {float, float, float, float} %e, 3
  %sum = fadd float %e0, %e3
  store float %sum, ptr addrspace(1) %out
  ret void
}

; What follows the accumulator depends on the types: no signs for integers, no order but for 16
; bits. An accumulator that does not count is a number.
; CHECK-LABEL: .entry forms(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {{[{].*[}]}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {{.*}}, 0, 1, 1;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {{.*}}, 0, 1, 1, 1;
define ptx_kernel void @forms(i64 %a, i64 %b, i32 %r, ptr addrspace(1) %out) #0 {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %i = call {i32, i32, i32, i32} @tilewright.wgmma.m64n8k32.s32.s8.s8.rs(i32 undef, i32 undef, i32 undef, i32 undef, i32 %r, i32 %r, i32 %r, i32 %r, i64 %b, i1 false, i1 false, i1 false)
  %f = call {float, float, float, float} @tilewright.wgmma.m64n8k8.f32.tf32.tf32.ss(float undef, float undef, float undef, float undef, i64 %a, i64 %b, i1 false, i1 false, i1 false)
  %h = call {i32, i32} @tilewright.wgmma.m64n8k16.f16.f16.f16.rs(i32 undef, i32 undef, i32 %r, i32 %r, i32 %r, i32 %r, i64 %b, i1 false, i1 false, i1 true)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i0 = extractvalue {i32, i32, i32, i32} %i, 0
  %f0 = extractvalue {float, float, float, float} %f, 0
  %h0 = extractvalue {i32, i32} %h, 0
  %w = call {i32, float, i32} @tilewright.wgmma.wait_group.i32x1.f32x1.i32x1(i32 0, i32 %i0, float %f0, i32 %h0)
  %w0 = extractvalue {i32, float, i32} %w, 0
  %w1 = extractvalue {i32, float, i32} %w, 1
  %w2 = extractvalue {i32, float, i32} %w, 2
  %w1i = bitcast float %w1 to i32
  %s = add i32 %w0, %w1i
  %sum = add i32 %s, %w2
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare {float, float, float, float} @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(float, float, float, float, i64, i64, i1, i1, i1)
declare {float, float, float, float} @tilewright.wgmma.wait_group.f32x4(i32, float, float, float, float)
declare {i32, i32, i32, i32} @tilewright.wgmma.m64n8k32.s32.s8.s8.rs(i32, i32, i32, i32, i32, i32, i32, i32, i64, i1, i1, i1)
declare {float, float, float, float} @tilewright.wgmma.m64n8k8.f32.tf32.tf32.ss(float, float, float, float, i64, i64, i1, i1, i1)
declare {i32, i32} @tilewright.wgmma.m64n8k16.f16.f16.f16.rs(i32, i32, i32, i32, i32, i32, i64, i1, i1, i1)
declare {i32, float, i32} @tilewright.wgmma.wait_group.i32x1.f32x1.i32x1(i32, i32, float, i32)

attributes #0 = { "nvvm.reqntid"="128" }
