; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s

; Kernels with loops that load several values and hardly wait for other threads ask for no more blocks
; than fit with the registers of their values: of 4 warps with a few registers 16.

; CHECK-LABEL: .entry loads(
; CHECK: .minnctapersm 16{{$}}
define ptx_kernel void @loads(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %front ], [ %sum.next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %b = getelementptr float, ptr addrspace(1) %a, i32 4096
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %xy = fmul float %x, %y
  %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %xy, i32 1, i32 31)
  %sum.next = fadd float %sum, %other
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %p
  ret void
}

; One load an iteration: nothing else could be under way.

; CHECK-LABEL: .entry one_load(
; CHECK-NOT: .minnctapersm
; CHECK: ret;
define ptx_kernel void @one_load(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %front ], [ %sum.next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %a
  %sum.next = fadd float %sum, %x
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %p
  ret void
}

; Two loads and five shuffles: warps wait for each other, and more of them help.

; CHECK-LABEL: .entry exchanges(
; CHECK-NOT: .minnctapersm
; CHECK: ret;
define ptx_kernel void @exchanges(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %front ], [ %s5, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %b = getelementptr float, ptr addrspace(1) %a, i32 4096
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %xy = fmul float %x, %y
  %s1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %xy, i32 1, i32 31)
  %s2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s1, i32 2, i32 31)
  %s3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s2, i32 4, i32 31)
  %s4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s3, i32 8, i32 31)
  %s5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s4, i32 16, i32 31)
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store float %s5, ptr addrspace(1) %p
  ret void
}

; Three vectors of 128 registers are alive at one time: one block, with all registers.

; CHECK-LABEL: .entry large(
; CHECK: .minnctapersm 1{{$}}
define ptx_kernel void @large(ptr addrspace(1) %p, ptr addrspace(1) %q) "nvvm.reqntid"="128" {
  %a = load <128 x float>, ptr addrspace(1) %p
  %b = load <128 x float>, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %p, i32 4096
  %c = load <128 x float>, ptr addrspace(1) %r
  %ab = fadd <128 x float> %a, %b
  %abc = fmul <128 x float> %ab, %c
  store <128 x float> %abc, ptr addrspace(1) %q
  store <128 x float> %a, ptr addrspace(1) %r
  ret void
}

; Two of them fit.

; CHECK-LABEL: .entry fits(
; CHECK-NOT: .minnctapersm
; CHECK: ret;
define ptx_kernel void @fits(ptr addrspace(1) %p, ptr addrspace(1) %q) "nvvm.reqntid"="128" {
  %a = load <128 x float>, ptr addrspace(1) %p
  %b = load <128 x float>, ptr addrspace(1) %q
  %ab = fadd <128 x float> %a, %b
  store <128 x float> %ab, ptr addrspace(1) %q
  ret void
}

; A loop that computes for much longer than it loads, with 2 blocks of 4 warps: ptxas may prefer more.

; CHECK-LABEL: .entry computes(
; CHECK-NOT: .minnctapersm
; CHECK: ret;
define ptx_kernel void @computes(ptr addrspace(1) %p, <96 x float> %x, i32 %n) "nvvm.reqntid"="128" {
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %sum = phi <96 x float> [ %x, %front ], [ %s4, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %b = getelementptr float, ptr addrspace(1) %a, i32 4096
  %y = load float, ptr addrspace(1) %a
  %z = load float, ptr addrspace(1) %b
  %y1 = insertelement <96 x float> %x, float %y, i32 0
  %y2 = insertelement <96 x float> %y1, float %z, i32 1
  %s1 = fdiv <96 x float> %sum, %y2
  %s2 = fdiv <96 x float> %s1, %y1
  %s3 = fdiv <96 x float> %s2, %y2
  %s4 = fdiv <96 x float> %s3, %y1
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store <96 x float> %s4, ptr addrspace(1) %p
  ret void
}

; A number of registers that was asked for stays.

; CHECK-LABEL: .entry asked(
; CHECK: .maxnreg 64
; CHECK-NOT: .minnctapersm
; CHECK: ret;
define ptx_kernel void @asked(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" "nvvm.maxnreg"="64" {
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %front ], [ %sum.next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %b = getelementptr float, ptr addrspace(1) %a, i32 4096
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %xy = fmul float %x, %y
  %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %xy, i32 1, i32 31)
  %sum.next = fadd float %sum, %other
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %p
  ret void
}

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
