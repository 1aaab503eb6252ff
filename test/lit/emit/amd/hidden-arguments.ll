; The numbers of blocks are hidden arguments, the first; LLVM lists what lies around them with them.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=TEXT

; CHECK:      amdhsa.kernels:
; CHECK-NEXT:   - .args:
; CHECK-NEXT:       - .address_space:  global
; CHECK-NEXT:         .name:           x
; CHECK:              .offset:         8
; CHECK-NEXT:         .size:           4
; CHECK-NEXT:         .value_kind:     hidden_block_count_x
; CHECK-NEXT:       - .offset:         12
; CHECK-NEXT:         .size:           4
; CHECK-NEXT:         .value_kind:     hidden_block_count_y
; CHECK-NOT:          hidden_queue_ptr
; CHECK-NOT:          hidden_hostcall_buffer
; CHECK-NOT:          hidden_heap
; CHECK:          .group_segment_fixed_size: 0
; CHECK:          .kernarg_segment_size: 264
; CHECK:          .max_flat_workgroup_size: 64

; TEXT: s_load_b32 s[[#]], s[{{.*}}], 0xc

define amdgpu_kernel void @counts(ptr addrspace(1) %x) #0 {
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %place = getelementptr i8, ptr addrspace(4) %hidden, i64 4
  %count = load i32, ptr addrspace(4) %place
  store i32 %count, ptr addrspace(1) %x
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" "amdgpu-no-dispatch-ptr" "amdgpu-no-dispatch-id" "amdgpu-no-queue-ptr" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-hostcall-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-multigrid-sync-arg" }
