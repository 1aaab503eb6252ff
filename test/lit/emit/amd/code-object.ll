; The HSACO says of a kernel what a launcher needs to know. It has no hidden arguments that nobody
; looks at.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s -DPROCESSOR=gfx1100
; RUN: llvm-readelf --file-header --dyn-symbols %t.hsaco | FileCheck %s --check-prefix=ELF
; RUN: llvm-objdump -D -j .rodata %t.hsaco | FileCheck %s --check-prefixes=KD,KD11
; RUN: tilewright-emit %s --target=hip:gfx1201 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s -DPROCESSOR=gfx1201
; RUN: llvm-objdump -D -j .rodata %t.hsaco | FileCheck %s --check-prefixes=KD
; RUN: tilewright-emit %s --target=hip:gfx1150 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s -DPROCESSOR=gfx1150
; RUN: tilewright-emit %s --target=hip:gfx1200 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s -DPROCESSOR=gfx1200

@shared = internal addrspace(3) global [1536 x i8] undef, align 16

; CHECK:      amdhsa.kernels:
; CHECK-NEXT:   - .args:
; CHECK-NEXT:       - .address_space:  global
; CHECK-NEXT:         .name:           x
; CHECK-NEXT:         .offset:         0
; CHECK-NEXT:         .size:           8
; CHECK-NEXT:         .value_kind:     global_buffer
; CHECK-NEXT:       - .name:           scale
; CHECK-NEXT:         .offset:         8
; CHECK-NEXT:         .size:           2
; CHECK-NEXT:         .value_kind:     by_value
; CHECK-NEXT:       - .name:           n
; CHECK-NEXT:         .offset:         16
; CHECK-NEXT:         .size:           8
; CHECK-NEXT:         .value_kind:     by_value
; CHECK-NEXT:     .group_segment_fixed_size: 1536
; CHECK-NEXT:     .kernarg_segment_align: 8
; CHECK-NEXT:     .kernarg_segment_size: 24
; CHECK-NEXT:     .max_flat_workgroup_size: 128
; CHECK-NEXT:     .name:           plain
; CHECK-NEXT:     .private_segment_fixed_size: 0
; CHECK:          .sgpr_spill_count: 0
; CHECK-NEXT:     .symbol:         plain.kd
; CHECK-NEXT:     .uniform_work_group_size: 1
; CHECK-NEXT:     .uses_dynamic_stack: false
; CHECK:          .vgpr_spill_count: 0
; CHECK-NEXT:     .wavefront_size: 32
; CHECK-NEXT:     .workgroup_processor_mode: 1
; CHECK:      amdhsa.target: amdgcn-amd-amdhsa--[[PROCESSOR]]
; CHECK-NEXT: amdhsa.version:
; CHECK-NEXT:   - 1
; CHECK-NEXT:   - 2

; ELF: OS/ABI: AMDGPU - HSA
; ELF: ABI Version: 3
; ELF: Type: DYN
; ELF: Machine: EM_AMDGPU
; ELF-DAG: FUNC {{.*}} plain{{$}}
; ELF-DAG: OBJECT {{.*}} plain.kd

; KD-LABEL: .amdhsa_kernel plain
; KD: .amdhsa_group_segment_fixed_size 1536
; KD: .amdhsa_private_segment_fixed_size 0
; KD: .amdhsa_kernarg_size 24
; KD11: .amdhsa_system_sgpr_workgroup_id_x 1
; KD11-NEXT: .amdhsa_system_sgpr_workgroup_id_y 0
; KD11-NEXT: .amdhsa_system_sgpr_workgroup_id_z 0
; KD: .amdhsa_system_vgpr_workitem_id 0
; KD: .amdhsa_user_sgpr_dispatch_ptr 0
; KD: .amdhsa_user_sgpr_queue_ptr 0
; KD: .amdhsa_user_sgpr_kernarg_segment_ptr 1
; KD: .amdhsa_user_sgpr_dispatch_id 0
; KD: .amdhsa_wavefront_size32 1

define amdgpu_kernel void @plain(ptr addrspace(1) %x, half %scale, i64 %n) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %s = getelementptr half, ptr addrspace(3) @shared, i32 %t
  store half %scale, ptr addrspace(3) %s
  call void @llvm.amdgcn.s.barrier()
  %v = load half, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @shared, i32 1534)
  %b64 = zext i32 %b to i64
  %i = add i64 %b64, %n
  %p = getelementptr half, ptr addrspace(1) %x, i64 %i
  store half %v, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "amdgpu-no-cluster-id-z" "amdgpu-no-dispatch-ptr" "amdgpu-no-dispatch-id" "amdgpu-no-queue-ptr" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" }
