; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s

; Each block of a kernel uses the address of shared memory. Where products of warp groups read what
; the threads copy, it is taken once, in front of the loop, also as part of a constant address.

@global_smem = external addrspace(3) global [0 x i8], align 1024

; CHECK-LABEL: .entry product(
; CHECK: mov.b32 [[BASE:%r[0-9]+]], global_smem;
; CHECK-NOT: global_smem
; CHECK: cp.async.cg.shared.global
; CHECK-NOT: global_smem
; CHECK: ld.volatile.shared.b32 %r{{[0-9]+}}, [[[BASE]]+16];
; CHECK-NOT: global_smem
; CHECK: ret;
define ptx_kernel void @product(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %i
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %at, ptr addrspace(1) %p)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %next = add i32 %i, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  %x = load volatile i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16)
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; Other kernels keep it as a constant.
; CHECK-LABEL: .entry copies(
; CHECK: ld.volatile.shared.b32 %r{{[0-9]+}}, [global_smem+16];
define ptx_kernel void @copies(ptr addrspace(1) %p) #0 {
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @global_smem, ptr addrspace(1) %p)
  %x = load volatile i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16)
  store i32 %x, ptr addrspace(1) %p
  ret void
}

declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.wgmma.fence.sync.aligned()

attributes #0 = { "nvvm.reqntid"="128" }
