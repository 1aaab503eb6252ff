// RUN: tilewright-opt %s --symbol-dce | FileCheck %s

// MLIR's symbol-dce: private functions that nobody calls go, with those that only they call.

// CHECK: tt.func public @kernel
tt.func public @kernel(%x: f32) -> f32 {
  %0 = tt.call @used(%x) : (f32) -> f32
  tt.return %0 : f32
}
// CHECK: tt.func private @used
tt.func private @used(%x: f32) -> f32 {
  tt.return %x : f32
}
// CHECK-NOT: tt.func private
tt.func private @unused(%x: f32) -> f32 {
  %0 = tt.call @only_by_unused(%x) : (f32) -> f32
  tt.return %0 : f32
}
tt.func private @only_by_unused(%x: f32) -> f32 {
  tt.return %x : f32
}
// CHECK: tt.func public @other_kernel
tt.func public @other_kernel() {
  tt.return
}
// A function without visibility is public.
// CHECK: tt.func @third_kernel
tt.func @third_kernel() {
  tt.return
}
