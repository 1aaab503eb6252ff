; Masked accesses whose addresses have a base that a wave shares and a small offset of the lane are
; buffer accesses, without a branch.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX11 --implicit-check-not=s_cbranch --implicit-check-not=readfirstlane
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX12 --implicit-check-not=s_cbranch --implicit-check-not=readfirstlane

; The descriptor: base (48 bits, stride 0), size, flags. Lanes that are off are past the size.
; CHECK-LABEL: vector:
; CHECK-DAG: s_mov_b32 s[[#]], 0x31027000
; CHECK-DAG: s_brev_b32 s[[#]], 1
; CHECK-DAG: s_and_b32 s[[#]], s[[#]], 0xffff
; CHECK: v_cndmask_b32_e32 [[OFFSET:v[0-9]+]], 0x80000000, v[[#]], vcc_lo
; CHECK: buffer_load_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}], {{0|null}} offen{{$}}
; CHECK: buffer_load_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}], {{0|null}} offen{{$}}
; CHECK: buffer_store_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}], {{0|null}} offen{{$}}
; CHECK: s_endpgm
define amdgpu_kernel void @vector(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %start = shl i32 %b, 9
  %own = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %start, %own
  %c = icmp slt i32 %i, %n
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %i64 = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %q = getelementptr float, ptr addrspace(1) %y, i64 %i64
  %r = getelementptr float, ptr addrspace(1) %o, i64 %i64
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %w = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %q, <4 x i1> %m, <4 x float> poison)
  %s = fadd <4 x float> %v, %w
  call void @llvm.masked.store.v4f32.p1(<4 x float> %s, ptr addrspace(1) align 16 %r, <4 x i1> %m)
  ret void
}

; Constants are the instruction's, up to 12 bits (23 for gfx12); the rest is a scalar offset.
; CHECK-LABEL: constants:
; GFX11-DAG: s_movk_i32 [[REST:s[0-9]+]], 0x2000
; GFX11: buffer_load_b32 v[[#]], [[OFFSET:v[0-9]+]], s[{{.*}}], 0 offen offset:4092
; GFX11: buffer_load_b32 v[[#]], [[OFFSET]], s[{{.*}}], [[REST]] offen offset:8
; GFX12: buffer_load_b32 v[[#]], [[OFFSET:v[0-9]+]], s[{{.*}}], null offen offset:4092
; GFX12: buffer_load_b32 v[[#]], [[OFFSET]], s[{{.*}}], null offen offset:8200
; CHECK: s_endpgm
define amdgpu_kernel void @constants(ptr addrspace(1) %x, ptr addrspace(1) %o, i1 %all) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %i1 = add nuw nsw i32 %t, 1023
  %i2 = add nuw nsw i32 %t, 2050
  %p1 = getelementptr float, ptr addrspace(1) %x, i32 %i1
  %p2 = getelementptr float, ptr addrspace(1) %x, i32 %i2
  %v1 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p1, <1 x i1> %m, <1 x float> zeroinitializer)
  %v2 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p2, <1 x i1> %m, <1 x float> zeroinitializer)
  %s = fadd <1 x float> %v1, %v2
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store <1 x float> %s, ptr addrspace(1) %q
  ret void
}

; A value for lanes that are off is selected after the load. Sizes: 1, 2, 8 and 12 bytes.
; CHECK-LABEL: sizes:
; CHECK-DAG: buffer_load_u8
; CHECK-DAG: buffer_load_{{u16|d16_b16}}
; CHECK-DAG: buffer_load_b64
; CHECK-DAG: buffer_load_b96
; CHECK-DAG: v_cndmask_b{{32|16}}{{.*}} 7, v
; CHECK-DAG: buffer_store_b8
; CHECK-DAG: buffer_store_b16
; CHECK-DAG: buffer_store_b64
; CHECK-DAG: buffer_store_b96
; CHECK: s_endpgm
define amdgpu_kernel void @sizes(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %m1 = insertelement <1 x i1> poison, i1 %c, i32 0
  %m4 = shufflevector <1 x i1> %m1, <1 x i1> poison, <4 x i32> zeroinitializer
  %m3 = shufflevector <1 x i1> %m1, <1 x i1> poison, <3 x i32> zeroinitializer
  %p1 = getelementptr i8, ptr addrspace(1) %x, i32 %t
  %p2 = getelementptr half, ptr addrspace(1) %x, i32 %t
  %p8 = getelementptr <4 x half>, ptr addrspace(1) %x, i32 %t
  %p12 = getelementptr [3 x float], ptr addrspace(1) %x, i32 %t
  %q1 = getelementptr i8, ptr addrspace(1) %o, i32 %t
  %q2 = getelementptr half, ptr addrspace(1) %o, i32 %t
  %q8 = getelementptr <4 x half>, ptr addrspace(1) %o, i32 %t
  %q12 = getelementptr [3 x float], ptr addrspace(1) %o, i32 %t
  %v1 = call <1 x i8> @llvm.masked.load.v1i8.p1(ptr addrspace(1) %p1, <1 x i1> %m1, <1 x i8> splat (i8 7))
  %v2 = call <1 x half> @llvm.masked.load.v1f16.p1(ptr addrspace(1) align 2 %p2, <1 x i1> %m1, <1 x half> zeroinitializer)
  %v8 = call <4 x half> @llvm.masked.load.v4f16.p1(ptr addrspace(1) align 8 %p8, <4 x i1> %m4, <4 x half> zeroinitializer)
  %v12 = call <3 x float> @llvm.masked.load.v3f32.p1(ptr addrspace(1) align 4 %p12, <3 x i1> %m3, <3 x float> zeroinitializer)
  call void @llvm.masked.store.v1i8.p1(<1 x i8> %v1, ptr addrspace(1) %q1, <1 x i1> %m1)
  call void @llvm.masked.store.v1f16.p1(<1 x half> %v2, ptr addrspace(1) align 2 %q2, <1 x i1> %m1)
  call void @llvm.masked.store.v4f16.p1(<4 x half> %v8, ptr addrspace(1) align 8 %q8, <4 x i1> %m4)
  call void @llvm.masked.store.v3f32.p1(<3 x float> %v12, ptr addrspace(1) align 4 %q12, <3 x i1> %m3)
  ret void
}

; A mask that differs between elements: an access for each run of equal ones.
; CHECK-LABEL: masks:
; CHECK: buffer_load_b64 v[{{.*}}], v[[#]], s[{{.*}}], {{0|null}} offen{{$}}
; CHECK: buffer_load_b64 v[{{.*}}], v[[#]], s[{{.*}}], {{0|null}} offen offset:8
; CHECK: s_endpgm
define amdgpu_kernel void @masks(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %d = icmp ult i32 %t, 90
  %m0 = insertelement <4 x i1> poison, i1 %c, i32 0
  %m1 = insertelement <4 x i1> %m0, i1 %c, i32 1
  %m2 = insertelement <4 x i1> %m1, i1 %d, i32 2
  %m = insertelement <4 x i1> %m2, i1 %d, i32 3
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %q = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  store <4 x float> %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }

; All lanes alike: off they have a descriptor of no bytes, which scalar instructions choose.
; CHECK-LABEL: alike:
; CHECK-NOT: v_cndmask
; CHECK: s_cselect_b32
; CHECK-NOT: v_cndmask
; CHECK: buffer_load_b128
; CHECK-NOT: {{v_cndmask|s_cselect}}
; CHECK: buffer_load_b128
; CHECK: s_endpgm
define amdgpu_kernel void @alike(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %own = shl nuw nsw i32 %t, 2
  %other = or disjoint i32 %own, 1024
  %c = icmp sgt i32 %n, 7
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %p = getelementptr float, ptr addrspace(1) %x, i32 %own
  %q = getelementptr float, ptr addrspace(1) %x, i32 %other
  %r = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %w = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %q, <4 x i1> %m, <4 x float> zeroinitializer)
  %s = fadd <4 x float> %v, %w
  store <4 x float> %s, ptr addrspace(1) %r, align 16
  ret void
}
