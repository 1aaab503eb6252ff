; A reduction of many rows moves all of them between lanes before it adds: each move is placed at its
; addition, so that LLVM makes one instruction of both.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --implicit-check-not=v_mov_b32_dpp

; CHECK-LABEL: rows:
; CHECK-COUNT-24: v_add_f32_dpp v[[#]], v[[#]], v[[#]] row_xmask:8
; CHECK: s_endpgm
define amdgpu_kernel void @rows(ptr addrspace(1) %x) {
  %t = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %wide = zext nneg i32 %t to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %wide
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load float, ptr addrspace(1) %p0, align 4
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %v1 = load float, ptr addrspace(1) %p1, align 4
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %v2 = load float, ptr addrspace(1) %p2, align 4
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %v3 = load float, ptr addrspace(1) %p3, align 4
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %v4 = load float, ptr addrspace(1) %p4, align 4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 640
  %v5 = load float, ptr addrspace(1) %p5, align 4
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 768
  %v6 = load float, ptr addrspace(1) %p6, align 4
  %p7 = getelementptr i8, ptr addrspace(1) %p, i64 896
  %v7 = load float, ptr addrspace(1) %p7, align 4
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 1024
  %v8 = load float, ptr addrspace(1) %p8, align 4
  %p9 = getelementptr i8, ptr addrspace(1) %p, i64 1152
  %v9 = load float, ptr addrspace(1) %p9, align 4
  %p10 = getelementptr i8, ptr addrspace(1) %p, i64 1280
  %v10 = load float, ptr addrspace(1) %p10, align 4
  %p11 = getelementptr i8, ptr addrspace(1) %p, i64 1408
  %v11 = load float, ptr addrspace(1) %p11, align 4
  %p12 = getelementptr i8, ptr addrspace(1) %p, i64 1536
  %v12 = load float, ptr addrspace(1) %p12, align 4
  %p13 = getelementptr i8, ptr addrspace(1) %p, i64 1664
  %v13 = load float, ptr addrspace(1) %p13, align 4
  %p14 = getelementptr i8, ptr addrspace(1) %p, i64 1792
  %v14 = load float, ptr addrspace(1) %p14, align 4
  %p15 = getelementptr i8, ptr addrspace(1) %p, i64 1920
  %v15 = load float, ptr addrspace(1) %p15, align 4
  %p16 = getelementptr i8, ptr addrspace(1) %p, i64 2048
  %v16 = load float, ptr addrspace(1) %p16, align 4
  %p17 = getelementptr i8, ptr addrspace(1) %p, i64 2176
  %v17 = load float, ptr addrspace(1) %p17, align 4
  %p18 = getelementptr i8, ptr addrspace(1) %p, i64 2304
  %v18 = load float, ptr addrspace(1) %p18, align 4
  %p19 = getelementptr i8, ptr addrspace(1) %p, i64 2432
  %v19 = load float, ptr addrspace(1) %p19, align 4
  %p20 = getelementptr i8, ptr addrspace(1) %p, i64 2560
  %v20 = load float, ptr addrspace(1) %p20, align 4
  %p21 = getelementptr i8, ptr addrspace(1) %p, i64 2688
  %v21 = load float, ptr addrspace(1) %p21, align 4
  %p22 = getelementptr i8, ptr addrspace(1) %p, i64 2816
  %v22 = load float, ptr addrspace(1) %p22, align 4
  %p23 = getelementptr i8, ptr addrspace(1) %p, i64 2944
  %v23 = load float, ptr addrspace(1) %p23, align 4
  %b0 = bitcast float %v0 to i32
  %m0 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b0, i32 360, i32 15, i32 15, i1 true)
  %f0 = bitcast i32 %m0 to float
  %b1 = bitcast float %v1 to i32
  %m1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b1, i32 360, i32 15, i32 15, i1 true)
  %f1 = bitcast i32 %m1 to float
  %b2 = bitcast float %v2 to i32
  %m2 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b2, i32 360, i32 15, i32 15, i1 true)
  %f2 = bitcast i32 %m2 to float
  %b3 = bitcast float %v3 to i32
  %m3 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b3, i32 360, i32 15, i32 15, i1 true)
  %f3 = bitcast i32 %m3 to float
  %b4 = bitcast float %v4 to i32
  %m4 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b4, i32 360, i32 15, i32 15, i1 true)
  %f4 = bitcast i32 %m4 to float
  %b5 = bitcast float %v5 to i32
  %m5 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b5, i32 360, i32 15, i32 15, i1 true)
  %f5 = bitcast i32 %m5 to float
  %b6 = bitcast float %v6 to i32
  %m6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b6, i32 360, i32 15, i32 15, i1 true)
  %f6 = bitcast i32 %m6 to float
  %b7 = bitcast float %v7 to i32
  %m7 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b7, i32 360, i32 15, i32 15, i1 true)
  %f7 = bitcast i32 %m7 to float
  %b8 = bitcast float %v8 to i32
  %m8 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b8, i32 360, i32 15, i32 15, i1 true)
  %f8 = bitcast i32 %m8 to float
  %b9 = bitcast float %v9 to i32
  %m9 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b9, i32 360, i32 15, i32 15, i1 true)
  %f9 = bitcast i32 %m9 to float
  %b10 = bitcast float %v10 to i32
  %m10 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b10, i32 360, i32 15, i32 15, i1 true)
  %f10 = bitcast i32 %m10 to float
  %b11 = bitcast float %v11 to i32
  %m11 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b11, i32 360, i32 15, i32 15, i1 true)
  %f11 = bitcast i32 %m11 to float
  %b12 = bitcast float %v12 to i32
  %m12 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b12, i32 360, i32 15, i32 15, i1 true)
  %f12 = bitcast i32 %m12 to float
  %b13 = bitcast float %v13 to i32
  %m13 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b13, i32 360, i32 15, i32 15, i1 true)
  %f13 = bitcast i32 %m13 to float
  %b14 = bitcast float %v14 to i32
  %m14 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b14, i32 360, i32 15, i32 15, i1 true)
  %f14 = bitcast i32 %m14 to float
  %b15 = bitcast float %v15 to i32
  %m15 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b15, i32 360, i32 15, i32 15, i1 true)
  %f15 = bitcast i32 %m15 to float
  %b16 = bitcast float %v16 to i32
  %m16 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b16, i32 360, i32 15, i32 15, i1 true)
  %f16 = bitcast i32 %m16 to float
  %b17 = bitcast float %v17 to i32
  %m17 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b17, i32 360, i32 15, i32 15, i1 true)
  %f17 = bitcast i32 %m17 to float
  %b18 = bitcast float %v18 to i32
  %m18 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b18, i32 360, i32 15, i32 15, i1 true)
  %f18 = bitcast i32 %m18 to float
  %b19 = bitcast float %v19 to i32
  %m19 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b19, i32 360, i32 15, i32 15, i1 true)
  %f19 = bitcast i32 %m19 to float
  %b20 = bitcast float %v20 to i32
  %m20 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b20, i32 360, i32 15, i32 15, i1 true)
  %f20 = bitcast i32 %m20 to float
  %b21 = bitcast float %v21 to i32
  %m21 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b21, i32 360, i32 15, i32 15, i1 true)
  %f21 = bitcast i32 %m21 to float
  %b22 = bitcast float %v22 to i32
  %m22 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b22, i32 360, i32 15, i32 15, i1 true)
  %f22 = bitcast i32 %m22 to float
  %b23 = bitcast float %v23 to i32
  %m23 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %b23, i32 360, i32 15, i32 15, i1 true)
  %f23 = bitcast i32 %m23 to float
  %s0 = fadd float %v0, %f0
  %s1 = fadd float %v1, %f1
  %s2 = fadd float %v2, %f2
  %s3 = fadd float %v3, %f3
  %s4 = fadd float %v4, %f4
  %s5 = fadd float %v5, %f5
  %s6 = fadd float %v6, %f6
  %s7 = fadd float %v7, %f7
  %s8 = fadd float %v8, %f8
  %s9 = fadd float %v9, %f9
  %s10 = fadd float %v10, %f10
  %s11 = fadd float %v11, %f11
  %s12 = fadd float %v12, %f12
  %s13 = fadd float %v13, %f13
  %s14 = fadd float %v14, %f14
  %s15 = fadd float %v15, %f15
  %s16 = fadd float %v16, %f16
  %s17 = fadd float %v17, %f17
  %s18 = fadd float %v18, %f18
  %s19 = fadd float %v19, %f19
  %s20 = fadd float %v20, %f20
  %s21 = fadd float %v21, %f21
  %s22 = fadd float %v22, %f22
  %s23 = fadd float %v23, %f23
  store float %s0, ptr addrspace(1) %p0, align 4
  store float %s1, ptr addrspace(1) %p1, align 4
  store float %s2, ptr addrspace(1) %p2, align 4
  store float %s3, ptr addrspace(1) %p3, align 4
  store float %s4, ptr addrspace(1) %p4, align 4
  store float %s5, ptr addrspace(1) %p5, align 4
  store float %s6, ptr addrspace(1) %p6, align 4
  store float %s7, ptr addrspace(1) %p7, align 4
  store float %s8, ptr addrspace(1) %p8, align 4
  store float %s9, ptr addrspace(1) %p9, align 4
  store float %s10, ptr addrspace(1) %p10, align 4
  store float %s11, ptr addrspace(1) %p11, align 4
  store float %s12, ptr addrspace(1) %p12, align 4
  store float %s13, ptr addrspace(1) %p13, align 4
  store float %s14, ptr addrspace(1) %p14, align 4
  store float %s15, ptr addrspace(1) %p15, align 4
  store float %s16, ptr addrspace(1) %p16, align 4
  store float %s17, ptr addrspace(1) %p17, align 4
  store float %s18, ptr addrspace(1) %p18, align 4
  store float %s19, ptr addrspace(1) %p19, align 4
  store float %s20, ptr addrspace(1) %p20, align 4
  store float %s21, ptr addrspace(1) %p21, align 4
  store float %s22, ptr addrspace(1) %p22, align 4
  store float %s23, ptr addrspace(1) %p23, align 4
  ret void
}
