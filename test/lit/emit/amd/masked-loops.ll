; A pointer that a loop moves on has a scalar part that moves and a lane's part that stays.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --implicit-check-not=readfirstlane
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --implicit-check-not=readfirstlane

; CHECK-LABEL: pointer:
; CHECK: [[LOOP:.LBB[0-9_]+]]:
; CHECK-NOT: v_add_co
; CHECK: buffer_load_b128 v[{{.*}}], v[[#]], s[{{.*}}], {{0|null}} offen
; CHECK-NOT: v_add_co
; CHECK: s_cbranch_scc{{.}} [[LOOP]]
define amdgpu_kernel void @pointer(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n, i64 %stride) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %start = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum1, %loop ]
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %sum1 = fadd <4 x float> %sum, %v
  %next = getelementptr float, ptr addrspace(1) %p, i64 %stride
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %exit

exit:
  %q = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  store <4 x float> %sum1, ptr addrspace(1) %q
  ret void
}

; Behind a loop that lanes leave one by one nothing is shared that was shared in it: no base.
; CHECK-LABEL: lanes_leave:
; CHECK: s_endpgm
; CHECK-NOT: buffer_
define amdgpu_kernel void @lanes_leave(ptr addrspace(1) %x, ptr addrspace(1) %o, i64 %stride) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %start = getelementptr float, ptr addrspace(1) %x, i32 %t
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %next = getelementptr float, ptr addrspace(1) %p, i64 %stride
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %t
  br i1 %more, label %loop, label %exit

exit:
  %v = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p, <1 x i1> %m, <1 x float> zeroinitializer)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store <1 x float> %v, ptr addrspace(1) %q
  ret void
}

; Steps that are not taken apart leave the pointer as it is.
; CHECK-LABEL: other_steps:
; CHECK: global_load_b32 v[[#]], v[{{[0-9]+}}:{{[0-9]+}}], off
; CHECK: s_endpgm
define amdgpu_kernel void @other_steps(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n, i64 %stride) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %start = getelementptr float, ptr addrspace(1) %x, i32 %t
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %v = load float, ptr addrspace(1) %p
  %sum1 = fadd float %sum, %v
  %next = getelementptr [1073741824 x float], ptr addrspace(1) %p, i64 %stride
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %exit

exit:
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %sum1, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }

; In a loop, too, the constant of an offset that stays is the instruction's.
; CHECK-LABEL: {{^}}constants:
; CHECK: buffer_load_b128 v[{{.*}}], [[OFFSET:v[0-9]+]], s[{{.*}}], {{0|null}} offen{{$}}
; CHECK: buffer_load_b128 v[{{.*}}], [[OFFSET]], s[{{.*}}], {{0|null}} offen offset:2048
; CHECK: s_endpgm
define amdgpu_kernel void @constants(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %own = shl nuw nsw i32 %t, 2
  %other = add nuw nsw i32 %own, 512
  %r = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %base = phi ptr addrspace(1) [ %x, %entry ], [ %after, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %next, %n
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %p = getelementptr float, ptr addrspace(1) %base, i32 %own
  %q = getelementptr float, ptr addrspace(1) %base, i32 %other
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %w = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %q, <4 x i1> %m, <4 x float> zeroinitializer)
  %s = fadd <4 x float> %v, %w
  %more = fadd <4 x float> %s, %sum
  %after = getelementptr i8, ptr addrspace(1) %base, i64 16384
  br i1 %c, label %loop, label %end
end:
  store <4 x float> %more, ptr addrspace(1) %r, align 16
  ret void
}
