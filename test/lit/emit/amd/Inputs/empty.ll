define amdgpu_kernel void @empty() {
  ret void
}
