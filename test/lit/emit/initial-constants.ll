; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s

; What sums begin with and what they are without an iteration is one constant in one register: made
; once in front of the branch around the loop.

; CHECK-LABEL: .entry sums(
; CHECK: mov.b32 [[A:%r[0-9]+]], 0x0;
; CHECK: mov.b32 [[B:%r[0-9]+]], 0x3f800000;
; CHECK-NOT: mov.b32 [[A]],
; CHECK-NOT: mov.b32 [[B]],
; CHECK: @%p{{.*}} bra
; CHECK-NOT: mov.b32 [[A]],
; CHECK-NOT: mov.b32 [[B]],
; CHECK: add.f32 [[A]], {{.*}}[[A]];
; CHECK: mul.f32 [[B]], {{.*}}[[B]];
; CHECK: st.volatile.global.b32 {{.*}}, [[A]];
; CHECK: ret;
define ptx_kernel void @sums(ptr addrspace(1) %p, i32 %n, float %x) {
front:
  %runs = icmp sgt i32 %n, 0
  br i1 %runs, label %loop, label %end
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %a = phi float [ 0.0, %front ], [ %a.next, %loop ]
  %b = phi float [ 1.0, %front ], [ %b.next, %loop ]
  %a.next = fadd float %a, %x
  %b.next = fmul float %b, %x
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %ra = phi float [ 0.0, %front ], [ %a.next, %loop ]
  %rb = phi float [ 1.0, %front ], [ %b.next, %loop ]
  %q = getelementptr float, ptr addrspace(1) %p, i32 1
  store volatile float %ra, ptr addrspace(1) %p
  store volatile float %rb, ptr addrspace(1) %q
  ret void
}

; The same with a block between that makes something else for the loop. A counter stays a constant
; that the code generator knows.

; CHECK-LABEL: .entry counter(
; CHECK: mov.b32 [[S:%r[0-9]+]], 0x0;
; CHECK-NOT: 0x0;
; CHECK: @%p{{.*}} bra
; CHECK-NOT: mov.b32 [[S]],
; CHECK: add.f32 [[S]], {{.*}}[[S]];
; CHECK: ret;
define ptx_kernel void @counter(ptr addrspace(1) %p, i32 %n, i32 %m) {
front:
  %runs = icmp sgt i32 %n, 0
  br i1 %runs, label %before, label %end
before:
  %v = load volatile float, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %before ], [ %s.next, %loop ]
  %s.next = fadd float %s, %v
  %i.next = add i32 %i, %m
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %ri = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %rs = phi float [ 0.0, %front ], [ %s.next, %loop ]
  %q = getelementptr float, ptr addrspace(1) %p, i32 1
  store volatile i32 %ri, ptr addrspace(1) %p
  store volatile float %rs, ptr addrspace(1) %q
  ret void
}

; Where the loop begins with one constant and the way around it gives another, they are two.

; CHECK-LABEL: .entry others(
; CHECK-NOT: 0x
; CHECK: mov.b32 %r{{[0-9]+}}, 0f40000000;
; CHECK: ret;
define ptx_kernel void @others(ptr addrspace(1) %p, i32 %n, float %x) {
front:
  %runs = icmp sgt i32 %n, 0
  br i1 %runs, label %loop, label %end
loop:
  %i = phi i32 [ 0, %front ], [ %i.next, %loop ]
  %a = phi float [ 0.0, %front ], [ %a.next, %loop ]
  %a.next = fadd float %a, %x
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %ra = phi float [ 2.0, %front ], [ %a.next, %loop ]
  store volatile float %ra, ptr addrspace(1) %p
  ret void
}
