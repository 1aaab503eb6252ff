; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s
; RUN: tilewright-emit %s --target=xpu:bmg --print=legal | FileCheck %s

; Semantics without a storage class order nothing: 0x100 is shared memory, 0x200 global memory.

; CHECK-LABEL: @fences(
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 772)
; CHECK-NEXT:    atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 2, i32 770)
; CHECK-NEXT:    ret void
define spir_kernel void @fences(ptr addrspace(1) %p) {
  fence syncscope("device") release
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
  fence syncscope("workgroup") acquire
  ret void
}

; CHECK-LABEL: @operations(
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 0, i32 772)
; CHECK-NEXT:    atomicrmw xchg ptr addrspace(1) %p, i32 0 monotonic
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 772)
; CHECK-NEXT:    cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("device") monotonic monotonic
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 770)
; CHECK-NEXT:    atomicrmw or ptr addrspace(1) %p, i32 4 syncscope("workgroup") monotonic
; CHECK-NEXT:    call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 2, i32 770)
; CHECK-NEXT:    ret void
define spir_kernel void @operations(ptr addrspace(1) %p) {
  %a = atomicrmw xchg ptr addrspace(1) %p, i32 0 release
  %b = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("device") acq_rel acquire
  %c = atomicrmw or ptr addrspace(1) %p, i32 4 syncscope("workgroup") acquire
  ret void
}
