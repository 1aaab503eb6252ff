; A load that all lanes turn off together, as that of an iteration that there may not be, reads zeros
; elsewhere. Base and offset are chosen each for itself: the base in scalar registers.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

@zeros = internal addrspace(1) constant [16 x i8] zeroinitializer, align 16

; CHECK-LABEL: {{^}}together:
; CHECK-NOT:   v_add_co
; CHECK:       s_cselect_b32
; CHECK:       v_cndmask_b32_e32 [[OFFSET:v[0-9]+]], 0,
; CHECK-NOT:   v_cndmask
; CHECK:       global_load_tr_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}]
; CHECK:       global_load_tr_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}]
; CHECK:       s_endpgm
define amdgpu_kernel void @together(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %start, i32 %n) #0 {
  %t = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %there = icmp slt i32 %start, %n
  %row = shl i32 %start, 7
  %lane = shl nuw nsw i32 %t, 3
  %i = add i32 %row, %lane
  %j = add i32 %i, 2048
  %i64 = sext i32 %i to i64
  %j64 = sext i32 %j to i64
  %p = getelementptr half, ptr addrspace(1) %x, i64 %i64
  %q = getelementptr half, ptr addrspace(1) %x, i64 %j64
  %from = select i1 %there, ptr addrspace(1) %p, ptr addrspace(1) @zeros
  %fromToo = select i1 %there, ptr addrspace(1) %q, ptr addrspace(1) @zeros
  %a = call <8 x i16> @llvm.amdgcn.global.load.tr.b128.v8i16(ptr addrspace(1) %from)
  %b = call <8 x i16> @llvm.amdgcn.global.load.tr.b128.v8i16(ptr addrspace(1) %fromToo)
  %sum = add <8 x i16> %a, %b
  %to = getelementptr <8 x i16>, ptr addrspace(1) %o, i32 %t
  store <8 x i16> %sum, ptr addrspace(1) %to, align 16
  ret void
}

; Lanes that differ choose whole addresses.
; CHECK-LABEL: {{^}}each:
; CHECK-COUNT-2: v_{{(dual_)?}}cndmask_b32
; CHECK:       global_load_tr_b128 v[{{.*}}], v[{{.*}}], off
; CHECK:       s_endpgm
define amdgpu_kernel void @each(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %start, i32 %n) #0 {
  %t = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %at = add i32 %start, %t
  %there = icmp slt i32 %at, %n
  %row = shl i32 %start, 7
  %lane = shl nuw nsw i32 %t, 3
  %i = add i32 %row, %lane
  %i64 = sext i32 %i to i64
  %p = getelementptr half, ptr addrspace(1) %x, i64 %i64
  %from = select i1 %there, ptr addrspace(1) %p, ptr addrspace(1) @zeros
  %a = call <8 x i16> @llvm.amdgcn.global.load.tr.b128.v8i16(ptr addrspace(1) %from)
  %to = getelementptr <8 x i16>, ptr addrspace(1) %o, i32 %t
  store <8 x i16> %a, ptr addrspace(1) %to, align 16
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="32,32" }
