; Rows of a tile whose strides are numbers have one descriptor: what they differ in is the
; instruction's offset.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=llir | FileCheck %s --check-prefix=IR
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=GFX11

; The wave's part of the row is below 2: `lane` has its range.
; IR-LABEL: @rows(
; IR: call range(i32 0, 64) i32 @llvm.amdgcn.readfirstlane
; IR-COUNT-1: call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc
; IR-NOT: @llvm.amdgcn.make.buffer.rsrc
; IR: ret void

; CHECK-LABEL: rows:
; CHECK: buffer_load_b32 v[[#]], [[OFFSET:v[0-9]+]], [[DESCRIPTOR:s\[[0-9:]+\]]], null offen{{$}}
; CHECK: buffer_load_b32 v[[#]], [[OFFSET]], [[DESCRIPTOR]], null offen offset:1024
; CHECK: buffer_load_b32 v[[#]], [[OFFSET]], [[DESCRIPTOR]], null offen offset:31744
; CHECK: s_endpgm

; Beyond 12 bits gfx11 has the rest of a constant in a scalar register.
; GFX11-LABEL: rows:
; GFX11: buffer_load_b32 v[[#]], [[OFFSET:v[0-9]+]], [[DESCRIPTOR:s\[[0-9:]+\]]], 0 offen offset:1024
; GFX11: s_movk_i32 [[REST:s[0-9]+]], 0x7000
; GFX11: buffer_load_b32 v[[#]], v[[#]], [[DESCRIPTOR]], [[REST]] offen offset:3072
define amdgpu_kernel void @rows(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %lane = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  %wave = lshr i32 %lane, 5
  %column = and i32 %t, 31
  %wide = zext nneg i32 %column to i64
  %c = icmp slt i32 %column, %n
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %block = shl i32 %b, 6
  %r2 = or disjoint i32 %block, 2
  %r4 = or disjoint i32 %block, 4
  %r8 = or disjoint i32 %block, 8
  %r16 = or disjoint i32 %block, 16
  %r30 = or disjoint i32 %block, 30
  %r32 = or disjoint i32 %block, 32
  %r40 = or disjoint i32 %block, 40
  %r56 = or disjoint i32 %block, 56
  %r62 = or disjoint i32 %block, 62
  %row0 = add i32 %wave, %block
  %s0 = shl i32 %row0, 7
  %l0 = sext i32 %s0 to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %l0
  %q0 = getelementptr float, ptr addrspace(1) %p0, i64 %wide
  %v0 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q0, <1 x i1> %m, <1 x float> zeroinitializer)
  %a0 = fadd <1 x float> %v0, zeroinitializer
  %row2 = add i32 %r2, %wave
  %s2 = shl i32 %row2, 7
  %l2 = sext i32 %s2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %l2
  %q2 = getelementptr float, ptr addrspace(1) %p2, i64 %wide
  %v2 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q2, <1 x i1> %m, <1 x float> zeroinitializer)
  %a2 = fadd <1 x float> %v2, %a0
  %row4 = add i32 %r4, %wave
  %s4 = shl i32 %row4, 7
  %l4 = sext i32 %s4 to i64
  %p4 = getelementptr float, ptr addrspace(1) %x, i64 %l4
  %q4 = getelementptr float, ptr addrspace(1) %p4, i64 %wide
  %v4 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q4, <1 x i1> %m, <1 x float> zeroinitializer)
  %a4 = fadd <1 x float> %v4, %a2
  %row8 = add i32 %r8, %wave
  %s8 = shl i32 %row8, 7
  %l8 = sext i32 %s8 to i64
  %p8 = getelementptr float, ptr addrspace(1) %x, i64 %l8
  %q8 = getelementptr float, ptr addrspace(1) %p8, i64 %wide
  %v8 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q8, <1 x i1> %m, <1 x float> zeroinitializer)
  %a8 = fadd <1 x float> %v8, %a4
  %row16 = add i32 %r16, %wave
  %s16 = shl i32 %row16, 7
  %l16 = sext i32 %s16 to i64
  %p16 = getelementptr float, ptr addrspace(1) %x, i64 %l16
  %q16 = getelementptr float, ptr addrspace(1) %p16, i64 %wide
  %v16 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q16, <1 x i1> %m, <1 x float> zeroinitializer)
  %a16 = fadd <1 x float> %v16, %a8
  %row30 = add i32 %r30, %wave
  %s30 = shl i32 %row30, 7
  %l30 = sext i32 %s30 to i64
  %p30 = getelementptr float, ptr addrspace(1) %x, i64 %l30
  %q30 = getelementptr float, ptr addrspace(1) %p30, i64 %wide
  %v30 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q30, <1 x i1> %m, <1 x float> zeroinitializer)
  %a30 = fadd <1 x float> %v30, %a16
  %row32 = add i32 %r32, %wave
  %s32 = shl i32 %row32, 7
  %l32 = sext i32 %s32 to i64
  %p32 = getelementptr float, ptr addrspace(1) %x, i64 %l32
  %q32 = getelementptr float, ptr addrspace(1) %p32, i64 %wide
  %v32 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q32, <1 x i1> %m, <1 x float> zeroinitializer)
  %a32 = fadd <1 x float> %v32, %a30
  %row40 = add i32 %r40, %wave
  %s40 = shl i32 %row40, 7
  %l40 = sext i32 %s40 to i64
  %p40 = getelementptr float, ptr addrspace(1) %x, i64 %l40
  %q40 = getelementptr float, ptr addrspace(1) %p40, i64 %wide
  %v40 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q40, <1 x i1> %m, <1 x float> zeroinitializer)
  %a40 = fadd <1 x float> %v40, %a32
  %row56 = add i32 %r56, %wave
  %s56 = shl i32 %row56, 7
  %l56 = sext i32 %s56 to i64
  %p56 = getelementptr float, ptr addrspace(1) %x, i64 %l56
  %q56 = getelementptr float, ptr addrspace(1) %p56, i64 %wide
  %v56 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q56, <1 x i1> %m, <1 x float> zeroinitializer)
  %a56 = fadd <1 x float> %v56, %a40
  %row62 = add i32 %r62, %wave
  %s62 = shl i32 %row62, 7
  %l62 = sext i32 %s62 to i64
  %p62 = getelementptr float, ptr addrspace(1) %x, i64 %l62
  %q62 = getelementptr float, ptr addrspace(1) %p62, i64 %wide
  %v62 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q62, <1 x i1> %m, <1 x float> zeroinitializer)
  %a62 = fadd <1 x float> %v62, %a56
  %own = zext nneg i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %o, i64 %own
  store <1 x float> %a62, ptr addrspace(1) %q
  ret void
}

; Where nothing is known of the low bits of a row, its sum may wrap before it is widened.
; IR-LABEL: @unknown(
; IR-COUNT-10: call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc
; IR-NOT: @llvm.amdgcn.make.buffer.rsrc
; IR: ret void
define amdgpu_kernel void @unknown(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()
  %wide = zext nneg i32 %t to i64
  %c = icmp slt i32 %t, %n
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %l0 = sext i32 %n to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %l0
  %q0 = getelementptr float, ptr addrspace(1) %p0, i64 %wide
  %v0 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q0, <1 x i1> %m, <1 x float> zeroinitializer)
  %a0 = fadd <1 x float> %v0, zeroinitializer
  %row2 = add i32 %n, 2
  %l2 = sext i32 %row2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %l2
  %q2 = getelementptr float, ptr addrspace(1) %p2, i64 %wide
  %v2 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q2, <1 x i1> %m, <1 x float> zeroinitializer)
  %a2 = fadd <1 x float> %v2, %a0
  %row4 = add i32 %n, 4
  %l4 = sext i32 %row4 to i64
  %p4 = getelementptr float, ptr addrspace(1) %x, i64 %l4
  %q4 = getelementptr float, ptr addrspace(1) %p4, i64 %wide
  %v4 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q4, <1 x i1> %m, <1 x float> zeroinitializer)
  %a4 = fadd <1 x float> %v4, %a2
  %row8 = add i32 %n, 8
  %l8 = sext i32 %row8 to i64
  %p8 = getelementptr float, ptr addrspace(1) %x, i64 %l8
  %q8 = getelementptr float, ptr addrspace(1) %p8, i64 %wide
  %v8 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q8, <1 x i1> %m, <1 x float> zeroinitializer)
  %a8 = fadd <1 x float> %v8, %a4
  %row16 = add i32 %n, 16
  %l16 = sext i32 %row16 to i64
  %p16 = getelementptr float, ptr addrspace(1) %x, i64 %l16
  %q16 = getelementptr float, ptr addrspace(1) %p16, i64 %wide
  %v16 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q16, <1 x i1> %m, <1 x float> zeroinitializer)
  %a16 = fadd <1 x float> %v16, %a8
  %row30 = add i32 %n, 30
  %l30 = sext i32 %row30 to i64
  %p30 = getelementptr float, ptr addrspace(1) %x, i64 %l30
  %q30 = getelementptr float, ptr addrspace(1) %p30, i64 %wide
  %v30 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q30, <1 x i1> %m, <1 x float> zeroinitializer)
  %a30 = fadd <1 x float> %v30, %a16
  %row32 = add i32 %n, 32
  %l32 = sext i32 %row32 to i64
  %p32 = getelementptr float, ptr addrspace(1) %x, i64 %l32
  %q32 = getelementptr float, ptr addrspace(1) %p32, i64 %wide
  %v32 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q32, <1 x i1> %m, <1 x float> zeroinitializer)
  %a32 = fadd <1 x float> %v32, %a30
  %row40 = add i32 %n, 40
  %l40 = sext i32 %row40 to i64
  %p40 = getelementptr float, ptr addrspace(1) %x, i64 %l40
  %q40 = getelementptr float, ptr addrspace(1) %p40, i64 %wide
  %v40 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q40, <1 x i1> %m, <1 x float> zeroinitializer)
  %a40 = fadd <1 x float> %v40, %a32
  %row56 = add i32 %n, 56
  %l56 = sext i32 %row56 to i64
  %p56 = getelementptr float, ptr addrspace(1) %x, i64 %l56
  %q56 = getelementptr float, ptr addrspace(1) %p56, i64 %wide
  %v56 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q56, <1 x i1> %m, <1 x float> zeroinitializer)
  %a56 = fadd <1 x float> %v56, %a40
  %row62 = add i32 %n, 62
  %l62 = sext i32 %row62 to i64
  %p62 = getelementptr float, ptr addrspace(1) %x, i64 %l62
  %q62 = getelementptr float, ptr addrspace(1) %p62, i64 %wide
  %v62 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %q62, <1 x i1> %m, <1 x float> zeroinitializer)
  %a62 = fadd <1 x float> %v62, %a56
  %q = getelementptr float, ptr addrspace(1) %o, i64 %wide
  store <1 x float> %a62, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
