; RUN: tilewright-emit %s --target=cuda:80 | FileCheck %s

; The loop carries what three matrix loads have loaded for its first products. The one that the
; second product uses is loaded at the head, and neither in front of the loop nor at the end.

; CHECK-LABEL: .entry carried(
; CHECK-COUNT-2: ldmatrix
; CHECK-NOT: ldmatrix
; CHECK: $L__BB0_1:
; CHECK: ldmatrix{{.*}}.x2{{.*}} {[[LAST:[^}]*]]}
; CHECK-COUNT-2: mma.sync
; CHECK: {[[LAST]]},
; CHECK: bar.sync
; CHECK-COUNT-2: ldmatrix
; CHECK-NOT: ldmatrix
; CHECK: ret;

define ptx_kernel void @carried(ptr addrspace(3) %p, ptr addrspace(1) %out, i32 %n) #0 {
  %pb = getelementptr i8, ptr addrspace(3) %p, i32 1024
  %pc = getelementptr i8, ptr addrspace(3) %p, i32 2048
  %a.first = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %p)
  %c.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pc)
  %b.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pb)
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %a = phi {i32, i32, i32, i32} [ %a.first, %0 ], [ %a.next, %loop ]
  %c = phi {i32, i32} [ %c.first, %0 ], [ %c.next, %loop ]
  %b = phi {i32, i32} [ %b.first, %0 ], [ %b.next, %loop ]
  %aw0 = extractvalue {i32, i32, i32, i32} %a, 0
  %a0 = bitcast i32 %aw0 to <2 x half>
  %aw1 = extractvalue {i32, i32, i32, i32} %a, 1
  %a1 = bitcast i32 %aw1 to <2 x half>
  %aw2 = extractvalue {i32, i32, i32, i32} %a, 2
  %a2 = bitcast i32 %aw2 to <2 x half>
  %aw3 = extractvalue {i32, i32, i32, i32} %a, 3
  %a3 = bitcast i32 %aw3 to <2 x half>
  %b.w0 = extractvalue {i32, i32} %b, 0
  %b.0 = bitcast i32 %b.w0 to <2 x half>
  %b.w1 = extractvalue {i32, i32} %b, 1
  %b.1 = bitcast i32 %b.w1 to <2 x half>
  %c.w0 = extractvalue {i32, i32} %c, 0
  %c.0 = bitcast i32 %c.w0 to <2 x half>
  %c.w1 = extractvalue {i32, i32} %c, 1
  %c.1 = bitcast i32 %c.w1 to <2 x half>
  %d = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %b.0, <2 x half> %b.1, float %sum, float %sum, float %sum, float %sum)
  %d0 = extractvalue {float, float, float, float} %d, 0
  %e = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %c.0, <2 x half> %c.1, float %d0, float %d0, float %d0, float %d0)
  %sum.next = extractvalue {float, float, float, float} %e, 0
  %i.next = add i32 %i, 64
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i8, ptr addrspace(3) %p, i32 %i.next
  %qb = getelementptr i8, ptr addrspace(3) %q, i32 1024
  %qc = getelementptr i8, ptr addrspace(3) %q, i32 2048
  %a.next = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %q)
  %c.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qc)
  %b.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qb)
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store float %sum.next, ptr addrspace(1) %out
  ret void
}

; Not past a store: the head may load what that has written.

; CHECK-LABEL: .entry written(
; CHECK-COUNT-3: ldmatrix
; CHECK: $L__BB1_1:
; CHECK-NOT: ldmatrix
; CHECK: bar.sync
; CHECK-COUNT-3: ldmatrix
; CHECK: ret;

define ptx_kernel void @written(ptr addrspace(3) %p, ptr addrspace(1) %out, i32 %n) #0 {
  %pb = getelementptr i8, ptr addrspace(3) %p, i32 1024
  %pc = getelementptr i8, ptr addrspace(3) %p, i32 2048
  %a.first = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %p)
  %c.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pc)
  %b.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pb)
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %a = phi {i32, i32, i32, i32} [ %a.first, %0 ], [ %a.next, %loop ]
  %c = phi {i32, i32} [ %c.first, %0 ], [ %c.next, %loop ]
  %b = phi {i32, i32} [ %b.first, %0 ], [ %b.next, %loop ]
  %aw0 = extractvalue {i32, i32, i32, i32} %a, 0
  %a0 = bitcast i32 %aw0 to <2 x half>
  %aw1 = extractvalue {i32, i32, i32, i32} %a, 1
  %a1 = bitcast i32 %aw1 to <2 x half>
  %aw2 = extractvalue {i32, i32, i32, i32} %a, 2
  %a2 = bitcast i32 %aw2 to <2 x half>
  %aw3 = extractvalue {i32, i32, i32, i32} %a, 3
  %a3 = bitcast i32 %aw3 to <2 x half>
  %b.w0 = extractvalue {i32, i32} %b, 0
  %b.0 = bitcast i32 %b.w0 to <2 x half>
  %b.w1 = extractvalue {i32, i32} %b, 1
  %b.1 = bitcast i32 %b.w1 to <2 x half>
  %c.w0 = extractvalue {i32, i32} %c, 0
  %c.0 = bitcast i32 %c.w0 to <2 x half>
  %c.w1 = extractvalue {i32, i32} %c, 1
  %c.1 = bitcast i32 %c.w1 to <2 x half>
  %d = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %b.0, <2 x half> %b.1, float %sum, float %sum, float %sum, float %sum)
  %d0 = extractvalue {float, float, float, float} %d, 0
  %e = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %c.0, <2 x half> %c.1, float %d0, float %d0, float %d0, float %d0)
  %sum.next = extractvalue {float, float, float, float} %e, 0
  %i.next = add i32 %i, 64
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i8, ptr addrspace(3) %p, i32 %i.next
  %qb = getelementptr i8, ptr addrspace(3) %q, i32 1024
  %qc = getelementptr i8, ptr addrspace(3) %q, i32 2048
  %a.next = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %q)
  %c.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qc)
  %b.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qb)
  store i32 %i, ptr addrspace(3) %pc
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store float %sum.next, ptr addrspace(1) %out
  ret void
}

; What is used behind the loop, too, is still carried; the other one of the two products' is not.

; CHECK-LABEL: .entry used(
; CHECK-COUNT-2: ldmatrix
; CHECK: $L__BB2_1:
; CHECK: ldmatrix
; CHECK: mma.sync
; CHECK: bar.sync
; CHECK-COUNT-2: ldmatrix
; CHECK-NOT: ldmatrix
; CHECK: ret;

define ptx_kernel void @used(ptr addrspace(3) %p, ptr addrspace(1) %out, i32 %n) #0 {
  %pb = getelementptr i8, ptr addrspace(3) %p, i32 1024
  %pc = getelementptr i8, ptr addrspace(3) %p, i32 2048
  %a.first = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %p)
  %c.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pc)
  %b.first = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %pb)
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %a = phi {i32, i32, i32, i32} [ %a.first, %0 ], [ %a.next, %loop ]
  %c = phi {i32, i32} [ %c.first, %0 ], [ %c.next, %loop ]
  %b = phi {i32, i32} [ %b.first, %0 ], [ %b.next, %loop ]
  %aw0 = extractvalue {i32, i32, i32, i32} %a, 0
  %a0 = bitcast i32 %aw0 to <2 x half>
  %aw1 = extractvalue {i32, i32, i32, i32} %a, 1
  %a1 = bitcast i32 %aw1 to <2 x half>
  %aw2 = extractvalue {i32, i32, i32, i32} %a, 2
  %a2 = bitcast i32 %aw2 to <2 x half>
  %aw3 = extractvalue {i32, i32, i32, i32} %a, 3
  %a3 = bitcast i32 %aw3 to <2 x half>
  %b.w0 = extractvalue {i32, i32} %b, 0
  %b.0 = bitcast i32 %b.w0 to <2 x half>
  %b.w1 = extractvalue {i32, i32} %b, 1
  %b.1 = bitcast i32 %b.w1 to <2 x half>
  %c.w0 = extractvalue {i32, i32} %c, 0
  %c.0 = bitcast i32 %c.w0 to <2 x half>
  %c.w1 = extractvalue {i32, i32} %c, 1
  %c.1 = bitcast i32 %c.w1 to <2 x half>
  %d = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %b.0, <2 x half> %b.1, float %sum, float %sum, float %sum, float %sum)
  %d0 = extractvalue {float, float, float, float} %d, 0
  %e = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %c.0, <2 x half> %c.1, float %d0, float %d0, float %d0, float %d0)
  %sum.next = extractvalue {float, float, float, float} %e, 0
  %i.next = add i32 %i, 64
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i8, ptr addrspace(3) %p, i32 %i.next
  %qb = getelementptr i8, ptr addrspace(3) %q, i32 1024
  %qc = getelementptr i8, ptr addrspace(3) %q, i32 2048
  %a.next = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %q)
  %c.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qc)
  %b.next = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %qb)
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %last = extractvalue {i32, i32} %c.next, 0
  store i32 %last, ptr addrspace(1) %out
  store float %sum.next, ptr addrspace(1) %out
  ret void
}

declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3))
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

attributes #0 = { "nvvm.reqntid"="32" }
