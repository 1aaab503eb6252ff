; Accesses without a mask: a scalar base, a 32-bit offset and a constant where that is the address.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

; CHECK-LABEL: split:
; CHECK-NOT: v_add_co
; CHECK: global_load_b128 v[{{.*}}], [[OFFSET:v[0-9]+]], s[{{.*}}]{{$}}
; CHECK-NOT: v_add_co
; CHECK: global_load_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}] offset:2048
; CHECK-NOT: v_add_co
; CHECK: global_store_b128 [[OFFSET]], v[{{.*}}], s[{{.*}}]{{$}}
; CHECK: s_endpgm
define amdgpu_kernel void @split(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %start = mul i32 %b, %n
  %own = shl nuw nsw i32 %t, 2
  %i = add i32 %start, %own
  %j = add i32 %i, 512
  %i64 = sext i32 %i to i64
  %j64 = sext i32 %j to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %j64
  %q = getelementptr float, ptr addrspace(1) %o, i64 %i64
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %w = load <4 x float>, ptr addrspace(1) %p2, align 16
  %s = fadd <4 x float> %v, %w
  store <4 x float> %s, ptr addrspace(1) %q, align 16
  ret void
}

; An offset that may be anything is 64 bits in vector registers.
; CHECK-LABEL: unbounded:
; CHECK: v_mul_lo_u32
; CHECK: v_ashrrev_i32_e32 v[[#]], 31
; CHECK: global_load_b32 v[[#]], v[{{[0-9]+}}:{{[0-9]+}}], off
; CHECK: s_endpgm
define amdgpu_kernel void @unbounded(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %i = mul i32 %t, %n
  %i64 = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %v, ptr addrspace(1) %q
  ret void
}

; zext(n - 1 + t) is not zext(n - 1) + t for n = 0, t = 1.
; CHECK-LABEL: unsigned:
; CHECK: v_add{{.*}}_u32
; CHECK: v_lshlrev_b64
; CHECK: global_load_b32 v[[#]], v[{{[0-9]+}}:{{[0-9]+}}], off
; CHECK: s_endpgm
define amdgpu_kernel void @unsigned(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %before = sub i32 %n, 1
  %i = add i32 %before, %t
  %i64 = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %v, ptr addrspace(1) %q
  ret void
}

; Rows of a length that only the launch knows: what they share is added to the base once. Three
; additions of 64 bits, not two for each row.
; CHECK-LABEL: rows:
; CHECK-COUNT-3: v_add_co_u32
; CHECK-NOT: v_add_co_u32
; CHECK: global_store_b128
; CHECK: s_endpgm
define amdgpu_kernel void @rows(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = shl i32 %b, 6
  %c16 = and i32 %t, 15
  %own = shl nuw nsw i32 %c16, 2
  %c = or disjoint i32 %first, %own
  %c64 = sext i32 %c to i64
  %r = lshr i32 %t, 4
  %s = or disjoint i32 %r, 8
  %rn = mul i32 %r, %n
  %sn = mul i32 %s, %n
  %rn64 = sext i32 %rn to i64
  %sn64 = sext i32 %sn to i64
  %rp = getelementptr float, ptr addrspace(1) %x, i64 %rn64
  %sp = getelementptr float, ptr addrspace(1) %x, i64 %sn64
  %p = getelementptr float, ptr addrspace(1) %rp, i64 %c64
  %q = getelementptr float, ptr addrspace(1) %sp, i64 %c64
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %w = load <4 x float>, ptr addrspace(1) %q, align 16
  %sum = fadd <4 x float> %v, %w
  %out = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  store <4 x float> %sum, ptr addrspace(1) %out, align 16
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }
