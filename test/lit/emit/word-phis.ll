; RUN: tilewright-emit %s --target=cuda:80 --print=llir | FileCheck %s

; A word that a loop carries as its elements becomes one value again; what is computed with does not.

; CHECK-LABEL: @carried(
; CHECK: phi <2 x half>
; CHECK-NOT: phi half
; CHECK-NOT: insertelement
; CHECK: ret void
define ptx_kernel void @carried(i32 %first, ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %f = bitcast i32 %first to <2 x half>
  %f0 = extractelement <2 x half> %f, i32 0
  %f1 = extractelement <2 x half> %f, i32 1
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a0 = phi half [ %f0, %entry ], [ %b0, %body ]
  %a1 = phi half [ %f1, %entry ], [ %b1, %body ]
  %v0 = insertelement <2 x half> poison, half %a0, i32 0
  %v1 = insertelement <2 x half> %v0, half %a1, i32 1
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i
  %q = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i
  store <2 x half> %v1, ptr addrspace(1) %q
  %w = load i32, ptr addrspace(1) %p
  %b = bitcast i32 %w to <2 x half>
  %b0 = extractelement <2 x half> %b, i32 0
  %b1 = extractelement <2 x half> %b, i32 1
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @computed(
; CHECK-COUNT-2: phi half
; CHECK: ret void
define ptx_kernel void @computed(i32 %first, ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %f = bitcast i32 %first to <2 x half>
  %f0 = extractelement <2 x half> %f, i32 0
  %f1 = extractelement <2 x half> %f, i32 1
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a0 = phi half [ %f0, %entry ], [ %b0, %body ]
  %a1 = phi half [ %f1, %entry ], [ %b1, %body ]
  %s = fadd half %a0, %a1
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i
  %q = getelementptr half, ptr addrspace(1) %out, i32 %i
  store half %s, ptr addrspace(1) %q
  %w = load i32, ptr addrspace(1) %p
  %b = bitcast i32 %w to <2 x half>
  %b0 = extractelement <2 x half> %b, i32 0
  %b1 = extractelement <2 x half> %b, i32 1
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Two edges from one block bring one value.

; CHECK-LABEL: @branched(
; CHECK: phi i32 [ %first, %entry ], [ %first, %entry ], [ %second, %other ], [ %first, %third ]
; CHECK: ret void
define ptx_kernel void @branched(i32 %first, i32 %second, ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %f = bitcast i32 %first to <2 x half>
  %f0 = extractelement <2 x half> %f, i32 0
  %f1 = extractelement <2 x half> %f, i32 1
  %g = bitcast i32 %second to <2 x half>
  %g0 = extractelement <2 x half> %g, i32 0
  %g1 = extractelement <2 x half> %g, i32 1
  switch i32 %n, label %other [
    i32 1, label %join
    i32 7, label %join
    i32 20, label %third
  ]
other:
  store i32 1, ptr addrspace(1) %x
  br label %join
third:
  store i32 2, ptr addrspace(1) %x
  br label %join
join:
  %a0 = phi half [ %f0, %entry ], [ %f0, %entry ], [ %g0, %other ], [ %f0, %third ]
  %a1 = phi half [ %f1, %third ], [ %g1, %other ], [ %f1, %entry ], [ %f1, %entry ]
  %v0 = insertelement <2 x half> poison, half %a0, i32 0
  %v1 = insertelement <2 x half> %v0, half %a1, i32 1
  store <2 x half> %v1, ptr addrspace(1) %out
  ret void
}
