// The HSACO lists a kernel's arguments by the names that they have in the source, whatever those
// are; what has none stays without.
//
// RUN: tilewright-emit %s --target=hip:gfx1100 -o %t.hsaco
// RUN: llvm-readelf --notes %t.hsaco | FileCheck %s
// RUN: tilewright-emit %s --target=hip:gfx1201 --print=llir | FileCheck %s --check-prefix=LLIR
// RUN: tilewright-emit %s --target=hip:gfx1201 -o %t.hsaco
// RUN: llvm-readelf --notes %t.hsaco | FileCheck %s

// CHECK:      amdhsa.kernels:
// CHECK-NEXT:   - .args:
// CHECK-NEXT:       - .address_space:  global
// CHECK-NEXT:         .name:           x_ptr
// CHECK-NEXT:         .offset:         0
// CHECK-NEXT:         .size:           8
// CHECK-NEXT:         .value_kind:     global_buffer
// CHECK-NEXT:       - .name:           n
// CHECK-NEXT:         .offset:         8
// CHECK-NEXT:         .size:           4
// CHECK-NEXT:         .value_kind:     by_value
// CHECK-NEXT:       - .name:           "größe: \"#\n\\"
// CHECK-NEXT:         .offset:         12
// CHECK-NEXT:         .size:           2
// CHECK-NEXT:         .value_kind:     by_value
// CHECK-NEXT:       - .name:           !str 'true'
// CHECK-NEXT:         .offset:         16
// CHECK-NEXT:         .size:           8
// CHECK-NEXT:         .value_kind:     by_value
// CHECK-NEXT:       - .offset:         24
// CHECK-NEXT:         .size:           4
// CHECK-NEXT:         .value_kind:     by_value
// CHECK-NEXT:       - .offset:         28
// CHECK-NEXT:         .size:           4
// CHECK-NEXT:         .value_kind:     by_value
// CHECK-NEXT:     .group_segment_fixed_size: 0
// CHECK-NEXT:     .kernarg_segment_align: 8
// CHECK-NEXT:     .kernarg_segment_size: 32

// LLIR: define amdgpu_kernel void @named(ptr addrspace(1){{.*}} %x_ptr, i32 %n, half %

llvm.func amdgpu_kernelcc @named(%x: !llvm.ptr<1> loc("x_ptr"("kernel.py":3:1)), %n: i32 loc("n"),
                                 %size: f16 loc("größe: \"#\n\\"), %flag: i64 loc("true"),
                                 %null: i32 loc("a\00b"), %unnamed: i32 loc(unknown)) {
  llvm.store %n, %x : i32, !llvm.ptr<1>
  llvm.return
}
