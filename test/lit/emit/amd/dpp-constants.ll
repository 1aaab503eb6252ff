; gfx1100 has no instruction with a moved operand and a constant or a scalar register after it: the
; move stays one of its own; so it does for a count of bits, which is added to 0. A reduction's moves
; become operands, also as words of wider numbers. No target has a wide shift by a moved distance, or
; makes doubles of moved integers. gfx1201 has no product of 32 bits and a sum with a
; moved operand, which may also be a word of a wider factor.
;
; RUN: split-file %s %t
; RUN: tilewright-emit %t/field.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=APART
; RUN: tilewright-emit %t/field.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=TOGETHER
; RUN: tilewright-emit %t/sum.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=SUM
; RUN: tilewright-emit %t/count.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=COUNT
; RUN: tilewright-emit %t/wide-sum.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=WIDE-SUM
; RUN: tilewright-emit %t/scalar.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=SCALAR
; RUN: tilewright-emit %t/double.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=DOUBLE
; RUN: tilewright-emit %t/wide-shift.ll --target=hip:gfx1150 --print=assembly | FileCheck %s --check-prefix=WIDE-SHIFT
; RUN: tilewright-emit %t/product.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=PRODUCT
; RUN: tilewright-emit %t/sum-times.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=PRODUCT
; RUN: tilewright-emit %t/wide-product.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=PRODUCT

; APART: v_mov_b32_dpp
; APART: v_bfe_i32 v[[#]], v[[#]], 0, 8
; TOGETHER: v_bfe_i32_e64_dpp
; SUM: v_add_f32_dpp
; COUNT: v_mov_b32_dpp
; COUNT: v_bcnt_u32_b32 v[[#]], v[[#]], 0
; SCALAR: v_mov_b32_dpp
; SCALAR: v_fma_f32 v[[#]], s[[#]], v[[#]], s[[#]]
; DOUBLE: v_mov_b32_dpp
; DOUBLE: v_cvt_f64_i32_e32
; WIDE-SUM: v_add_co_u32_e64_dpp
; WIDE-SHIFT: v_mov_b32_dpp
; WIDE-SHIFT: v_lshlrev_b64 v[{{.*}}], v[[#]], v[{{.*}}]
; PRODUCT: v_mov_b32_dpp
; PRODUCT-NOT: v_mad{{.*}}dpp
; PRODUCT: s_endpgm

;--- field.ll
define amdgpu_kernel void @field(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 360, i32 15, i32 15, i1 true)
  %b = trunc i32 %d to i8
  %r = sext i8 %b to i32
  store i32 %r, ptr addrspace(1) %p
  ret void
}

;--- sum.ll
define amdgpu_kernel void @sum(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %x, i32 %t
  %v = load float, ptr addrspace(1) %p
  %i = bitcast float %v to i32
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %i, i32 360, i32 15, i32 15, i1 true)
  %o = bitcast i32 %d to float
  %r = fadd float %v, %o
  store float %r, ptr addrspace(1) %p
  ret void
}

;--- product.ll
define amdgpu_kernel void @product(ptr addrspace(1) %x, i32 %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 360, i32 15, i32 15, i1 true)
  %m = mul i32 %d, %v
  %r = add i32 %m, %n
  store i32 %r, ptr addrspace(1) %p
  ret void
}

;--- wide-product.ll
define amdgpu_kernel void @wide_product(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %x, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %words = bitcast i64 %v to <2 x i32>
  %low = extractelement <2 x i32> %words, i32 0
  %high = extractelement <2 x i32> %words, i32 1
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %low, i32 360, i32 15, i32 15, i1 true)
  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %high, i32 360, i32 15, i32 15, i1 true)
  %one = insertelement <2 x i32> poison, i32 %a, i32 0
  %both = insertelement <2 x i32> %one, i32 %b, i32 1
  %moved = bitcast <2 x i32> %both to i64
  %m = mul i64 %moved, %v
  %r = add i64 %m, %v
  store i64 %r, ptr addrspace(1) %p
  ret void
}

;--- wide-sum.ll
define amdgpu_kernel void @wide_sum(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %x, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %words = bitcast i64 %v to <2 x i32>
  %low = extractelement <2 x i32> %words, i32 0
  %high = extractelement <2 x i32> %words, i32 1
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %low, i32 360, i32 15, i32 15, i1 true)
  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %high, i32 360, i32 15, i32 15, i1 true)
  %one = insertelement <2 x i32> poison, i32 %a, i32 0
  %both = insertelement <2 x i32> %one, i32 %b, i32 1
  %moved = bitcast <2 x i32> %both to i64
  %r = add i64 %moved, %v
  store i64 %r, ptr addrspace(1) %p
  ret void
}

;--- wide-shift.ll
define amdgpu_kernel void @wide_shift(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %x, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %words = bitcast i64 %v to <2 x i32>
  %low = extractelement <2 x i32> %words, i32 0
  %high = extractelement <2 x i32> %words, i32 1
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %low, i32 360, i32 15, i32 15, i1 true)
  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %high, i32 360, i32 15, i32 15, i1 true)
  %one = insertelement <2 x i32> poison, i32 %a, i32 0
  %both = insertelement <2 x i32> %one, i32 %b, i32 1
  %moved = bitcast <2 x i32> %both to i64
  %r = shl i64 %v, %moved
  store i64 %r, ptr addrspace(1) %p
  ret void
}

;--- count.ll
define amdgpu_kernel void @count(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 360, i32 15, i32 15, i1 true)
  %r = call i32 @llvm.ctpop.i32(i32 %d)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

;--- scalar.ll
define amdgpu_kernel void @scalar(ptr addrspace(1) %x, float %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %x, i32 %t
  %v = load float, ptr addrspace(1) %p
  %i = bitcast float %v to i32
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %i, i32 360, i32 15, i32 15, i1 true)
  %d = bitcast i32 %a to float
  %m = fmul contract float %d, %n
  %r = fadd contract float %m, %n
  store float %r, ptr addrspace(1) %p
  ret void
}

;--- double.ll
define amdgpu_kernel void @double(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 360, i32 15, i32 15, i1 true)
  %r = sitofp i32 %d to double
  store double %r, ptr addrspace(1) %p
  ret void
}

;--- sum-times.ll
define amdgpu_kernel void @sum_times(ptr addrspace(1) %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 360, i32 15, i32 15, i1 true)
  %s = add i32 %d, 1
  %r = mul i32 %s, %v
  store i32 %r, ptr addrspace(1) %p
  ret void
}
