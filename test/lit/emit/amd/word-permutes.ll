; Words of 16-bit elements that are stored to LDS are byte permutes of two words that were loaded.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

@lds = internal addrspace(3) global [1024 x i8] undef, align 16

; CHECK-LABEL: turned:
; CHECK-NOT: v_mov_b16
; CHECK-DAG: v_perm_b32 v{{.*}}, 0x5040100
; CHECK-DAG: v_perm_b32 v{{.*}}, 0x7060302
; CHECK-NOT: v_perm_b32
; CHECK-NOT: v_mov_b16
; CHECK: s_endpgm
define amdgpu_kernel void @turned(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p0 = getelementptr <2 x half>, ptr addrspace(1) %x, i32 %t
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 512
  %a = load <2 x half>, ptr addrspace(1) %p0, align 4
  %b = load <2 x half>, ptr addrspace(1) %p1, align 4
  %both = shufflevector <2 x half> %a, <2 x half> %b, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %q = getelementptr <4 x half>, ptr addrspace(3) @lds, i32 %t
  store <4 x half> %both, ptr addrspace(3) %q, align 8
  ret void
}

; Element by element, of bytes: the even ones of two words.
; CHECK-LABEL: even_bytes:
; CHECK: v_perm_b32 v{{.*}}, 0x6040200
; CHECK-NOT: v_perm_b32
; CHECK: s_endpgm
define amdgpu_kernel void @even_bytes(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <8 x i8>, ptr addrspace(1) %x, i32 %t
  %a = load <8 x i8>, ptr addrspace(1) %p, align 8
  %e0 = extractelement <8 x i8> %a, i32 0
  %e2 = extractelement <8 x i8> %a, i32 2
  %e4 = extractelement <8 x i8> %a, i32 4
  %e6 = extractelement <8 x i8> %a, i32 6
  %v0 = insertelement <4 x i8> poison, i8 %e0, i32 0
  %v1 = insertelement <4 x i8> %v0, i8 %e2, i32 1
  %v2 = insertelement <4 x i8> %v1, i8 %e4, i32 2
  %v3 = insertelement <4 x i8> %v2, i8 %e6, i32 3
  %q = getelementptr <4 x i8>, ptr addrspace(3) @lds, i32 %t
  store <4 x i8> %v3, ptr addrspace(3) %q, align 4
  ret void
}

; Lanes that have two words the other way round have other selectors, which loops need not compute.
; CHECK-LABEL: either_way:
; CHECK-COUNT-2: v_perm_b32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
; CHECK-NOT: v_perm_b32
; CHECK: s_endpgm
define amdgpu_kernel void @either_way(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <2 x i32>, ptr addrspace(1) %x, i32 %t
  %a = load <2 x i32>, ptr addrspace(1) %p, align 8
  %a0 = extractelement <2 x i32> %a, i32 0
  %a1 = extractelement <2 x i32> %a, i32 1
  %lane = and i32 %t, 16
  %odd = icmp eq i32 %lane, 0
  %s0 = select i1 %odd, i32 %a0, i32 %a1
  %s1 = select i1 %odd, i32 %a1, i32 %a0
  %v0 = bitcast i32 %s0 to <2 x half>
  %v1 = bitcast i32 %s1 to <2 x half>
  %both = shufflevector <2 x half> %v0, <2 x half> %v1, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %q = getelementptr <4 x half>, ptr addrspace(3) @lds, i32 %t
  store <4 x half> %both, ptr addrspace(3) %q, align 8
  ret void
}

; Both numbers of 4 bits of each byte, as f16: bytes apart, masked into the fraction of 1024, the upper
; one times 16. Numbers with a sign are 8 more before; so are bytes 128.
; CHECK-LABEL: packed_casts:
; CHECK-DAG: v_xor_b32_e32 [[NIBBLES:v[0-9]+]], 0x88888888
; CHECK-DAG: v_xor_b32_e32 [[BYTES:v[0-9]+]], 0x80808080
; CHECK-DAG: v_perm_b32 [[N:v[0-9]+]], 0, [[NIBBLES]], {{s[0-9]+|0xc010c01}}
; CHECK-DAG: v_and_or_b32 v{{[0-9]+}}, [[N]]
; CHECK-DAG: v_pk_fma_f16
; CHECK-DAG: v_perm_b32 v{{[0-9]+}}, {{.*}}, [[BYTES]]
; CHECK-DAG: v_pk_add_f16
; CHECK-NOT: v_cvt
; CHECK: s_endpgm
define amdgpu_kernel void @packed_casts(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <4 x i8>, ptr addrspace(1) %x, i32 %t
  %a = load <4 x i8>, ptr addrspace(1) %p, align 4
  %b1 = extractelement <4 x i8> %a, i32 1
  %up = shl i8 %b1, 4
  %l = ashr exact i8 %up, 4
  %h = ashr i8 %b1, 4
  %lf = sitofp i8 %l to half
  %hf = sitofp i8 %h to half
  %v0 = insertelement <4 x half> poison, half %lf, i32 0
  %v1 = insertelement <4 x half> %v0, half %hf, i32 1
  %b2 = extractelement <4 x i8> %a, i32 2
  %b3 = extractelement <4 x i8> %a, i32 3
  %f2 = sitofp i8 %b2 to half
  %f3 = sitofp i8 %b3 to half
  %v2 = insertelement <4 x half> %v1, half %f2, i32 2
  %v3 = insertelement <4 x half> %v2, half %f3, i32 3
  %q = getelementptr <4 x half>, ptr addrspace(3) @lds, i32 %t
  store <4 x half> %v3, ptr addrspace(3) %q, align 8
  ret void
}

; Offsets that stay are widened where the base that a loop moves on takes them: no sums of 64 bits.
; CHECK-LABEL: moving_base:
; CHECK: [[LOOP:.LBB.*]]:
; CHECK: global_load_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{.*}}]
; CHECK-NOT: v_add_co
; CHECK: s_cbranch
; CHECK: s_endpgm
define amdgpu_kernel void @moving_base(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %stride, i32 %n) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %large = mul i32 %t, %stride
  %offset = and i32 %large, 268435455
  %wide = zext nneg i32 %offset to i64
  %step = sext i32 %stride to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %in, %loop ]
  %base = phi ptr addrspace(1) [ %x, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %p = getelementptr float, ptr addrspace(1) %base, i64 %wide
  %v = load float, ptr addrspace(1) %p, align 4
  %added = fadd float %sum, %v
  %next = getelementptr float, ptr addrspace(1) %base, i64 %step
  %in = add i32 %i, 1
  %again = icmp slt i32 %in, %n
  br i1 %again, label %loop, label %done
done:
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %added, ptr addrspace(1) %q, align 4
  ret void
}

; Nor where a number moves on that is added to the base.
; CHECK-LABEL: moving_number:
; CHECK: [[LOOP:.LBB.*]]:
; CHECK: global_load_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{.*}}]
; CHECK-NOT: v_add_co
; CHECK: s_cbranch
; CHECK: s_endpgm
define amdgpu_kernel void @moving_number(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %large = mul nuw nsw i32 %t, 12
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %in, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %row = shl i32 %i, 7
  %at = add i32 %row, %large
  %wide = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %wide
  %v = load float, ptr addrspace(1) %p, align 4
  %added = fadd float %sum, %v
  %in = add i32 %i, 64
  %again = icmp slt i32 %in, %n
  br i1 %again, label %loop, label %done
done:
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %added, ptr addrspace(1) %q, align 4
  ret void
}

; Bytes of a constant between those of a vector.
; CHECK-LABEL: with_constant:
; CHECK: v_perm_b32
; CHECK: ds_store_b32
; CHECK: s_endpgm
define amdgpu_kernel void @with_constant(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <4 x i8>, ptr addrspace(1) %x, i32 %t
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = shufflevector <4 x i8> %v, <4 x i8> <i8 1, i8 2, i8 3, i8 4>, <4 x i32> <i32 3, i32 6, i32 0, i32 5>
  %q = getelementptr <4 x i8>, ptr addrspace(3) @lds, i32 %t
  store <4 x i8> %w, ptr addrspace(3) %q, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
