; RUN: tilewright-emit %s --target=cuda:80 | FileCheck %s

; The size of a masked copy depends on one comparison: what else it depends on goes into the bound,
; once for all copies of a block, where three comparisons have it.

declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)

; CHECK-LABEL: .entry shared_bound(
; CHECK: setp.lt.s32 [[THERE:%p[0-9]+]], [[I:%r[0-9]+]], [[N:%r[0-9]+]];
; CHECK: selp.b32 [[LIMIT:%r[0-9]+]], [[BOUND:%r[0-9]+]], -2147483648, [[THERE]];
; CHECK: setp.lt.s32 [[A:%p[0-9]+]], [[X:%r[0-9]+]], [[LIMIT]];
; CHECK: selp.b32 [[SIZEA:%r[0-9]+]], 4, 0, [[A]];
; CHECK: cp.async.ca.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 4, [[SIZEA]];
; CHECK: cp.async.ca.shared.global [%r{{[0-9]+}}+4], [%rd{{[0-9]+}}], 4, [[SIZEA]];
; CHECK-NOT: [[THERE]]
; CHECK: setp.lt.s32 [[B:%p[0-9]+]], [[Y:%r[0-9]+]], [[LIMIT]];
; CHECK: selp.b32 [[SIZEB:%r[0-9]+]], 16, 0, [[B]];
; CHECK: cp.async.cg.shared.global [%r{{[0-9]+}}+16], [%rd{{[0-9]+}}], 16, [[SIZEB]];
; CHECK: setp.lt.s32 [[C:%p[0-9]+]], [[Z:%r[0-9]+]], [[LIMIT]];
; CHECK: selp.b32 [[SIZEC:%r[0-9]+]], 16, 0, [[C]];
; CHECK: cp.async.cg.shared.global [%r{{[0-9]+}}+32], [%rd{{[0-9]+}}], 16, [[SIZEC]];
; CHECK-NOT: selp
; CHECK: ret;
define ptx_kernel void @shared_bound(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %x, i32 %y, i32 %z, i32 %i, i32 %n, i32 %bound) {
  %there = icmp slt i32 %i, %n
  %a = icmp slt i32 %x, %bound
  %b = icmp slt i32 %y, %bound
  %c = icmp slt i32 %z, %bound
  %both.a = and i1 %there, %a
  %both.b = select i1 %b, i1 %there, i1 false
  %both.c = and i1 %c, %there
  %size.c = select i1 %both.c, i32 16, i32 0
  %size.a = select i1 %both.a, i32 4, i32 0
  %size.b = select i1 %both.b, i32 16, i32 0
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %size.a)
  %to4 = getelementptr i8, ptr addrspace(3) %to, i32 4
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to4, ptr addrspace(1) %p, i32 %size.a)
  %to16 = getelementptr i8, ptr addrspace(3) %to, i32 16
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %to16, ptr addrspace(1) %p, i32 %size.b)
  %to32 = getelementptr i8, ptr addrspace(3) %to, i32 32
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %to32, ptr addrspace(1) %p, i32 %size.c)
  ret void
}

; The bound may stand on either side, the numbers may be unsigned, and the selects nested.
; CHECK-LABEL: .entry sides(
; CHECK: selp.b32 [[LIMIT:%r[0-9]+]], %r{{[0-9]+}}, 0, %p{{[0-9]+}};
; CHECK-COUNT-3: setp.gt.u32 %p{{[0-9]+}}, [[LIMIT]], %r{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @sides(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %x, i32 %y, i32 %z, i1 %there, i32 %bound) {
  %a = icmp ugt i32 %bound, %x
  %b = icmp ugt i32 %bound, %y
  %c = icmp ugt i32 %bound, %z
  %own.c = select i1 %c, i32 4, i32 0
  %size.c = select i1 %there, i32 %own.c, i32 0
  %own.a = select i1 %a, i32 4, i32 0
  %own.b = select i1 %b, i32 4, i32 0
  %size.a = select i1 %there, i32 %own.a, i32 0
  %size.b = select i1 %there, i32 %own.b, i32 0
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %size.a)
  %to4 = getelementptr i8, ptr addrspace(3) %to, i32 4
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to4, ptr addrspace(1) %p, i32 %size.b)
  %to8 = getelementptr i8, ptr addrspace(3) %to, i32 8
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to8, ptr addrspace(1) %p, i32 %size.c)
  ret void
}

; The greatest number is equal to itself: a comparison that includes equality stays as it is. So does
; one that is all there is, or one of fewer than three with its bound.
; CHECK-LABEL: .entry kept(
; CHECK-NOT: 2147483647
; CHECK-NOT: -2147483648
; CHECK: ret;
define ptx_kernel void @kept(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %x, i32 %y, i1 %there, i32 %bound, i32 %n) {
  %a = icmp sle i32 %x, %bound
  %both = and i1 %there, %a
  %size.a = select i1 %both, i32 4, i32 0
  %b = icmp slt i32 %y, %bound
  %size.b = select i1 %b, i32 4, i32 0
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to, ptr addrspace(1) %p, i32 %size.a)
  %to4 = getelementptr i8, ptr addrspace(3) %to, i32 4
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to4, ptr addrspace(1) %p, i32 %size.b)
  %c = icmp slt i32 %y, %n
  %both.c = and i1 %there, %c
  %size.c = select i1 %both.c, i32 4, i32 0
  %to8 = getelementptr i8, ptr addrspace(3) %to, i32 8
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to8, ptr addrspace(1) %p, i32 %size.c)
  ret void
}
