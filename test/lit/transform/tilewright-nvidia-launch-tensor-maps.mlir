// RUN: tilewright-opt %s -split-input-file -allow-unregistered-dialect -verify-diagnostics --tilewright-nvidia-launch-tensor-maps | FileCheck %s

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!desc = !tt.tensordesc<tensor<128x64xf16, #s>>

// CHECK: ttg.tensor_maps = [{address = 0 : i32, box = array<i64: 64, 128>, element = "f16", fills_nan = false,
// CHECK-SAME: sizes = [array<i64: 1, 3>, array<i64: 1, 2>], strides = [array<i64: 2, 3>], swizzle_bytes = 128 : i32},
// CHECK-SAME: {address = 1 : i32, box = array<i64: 64, 128>, element = "f16", fills_nan = true,
// CHECK-SAME: sizes = [array<i64: 64>, array<i64: 6, 2, 3>], strides = [array<i64: 128>], swizzle_bytes = 128 : i32}]
// CHECK-LABEL: tt.func public @kernel(
// CHECK-SAME: [[P:%.*]]: !tt.ptr<f16>, {{.*}}, %{{[^:]*}}: i32, [[A:%.*]]: !tt.tensordesc<tensor<128x64xf16, #shared>>, [[B:%.*]]: !tt.tensordesc<tensor<128x64xf16, #shared>>)
tt.func public @kernel(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %n: i32) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %row = arith.constant 64 : i64
  %columns = arith.constant 64 : i32
  %pitch = arith.extsi %n : i32 to i64
  %a = tt.make_tensor_descriptor %p, [%m, %n], [%pitch, %one] : !tt.ptr<f16>, !desc
  %m6 = arith.muli %m, %six : i32
  %all = arith.muli %m6, %n : i32
  // CHECK: scf.for
  scf.for %i = %zero to %m step %unit : i32 {
    // CHECK: "use"([[B]])
    %b = tt.make_tensor_descriptor %q, [%all, %columns], [%row, %one] {padding = 2 : i32} : !tt.ptr<f16>, !desc
    "use"(%b) : (!desc) -> ()
  }
  // One map for equal ones.
  // CHECK: "use"([[A]], [[A]])
  %again = tt.make_tensor_descriptor %p, [%m, %n], [%pitch, %one] : !tt.ptr<f16>, !desc
  "use"(%a, %again) : (!desc, !desc) -> ()
  tt.return
}

// -----

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!desc = !tt.tensordesc<tensor<128x64xf16, #s>>

// These stay: sums, what is loaded, what a branch makes, addresses that are computed, and descriptors
// that are for pointers.
// CHECK-NOT: ttg.tensor_maps
// CHECK-LABEL: tt.func public @others
// CHECK-COUNT-5: tt.make_tensor_descriptor
tt.func public @others(%p: !tt.ptr<f16>, %q: !tt.ptr<i32>, %n: i32, %flag: i1) {
  %one = arith.constant 1 : i64
  %row = arith.constant 64 : i64
  %sum = arith.addi %n, %n : i32
  %a = tt.make_tensor_descriptor %p, [%sum, %n], [%row, %one] : !tt.ptr<f16>, !desc
  %size = tt.load %q : !tt.ptr<i32>
  %b = tt.make_tensor_descriptor %p, [%size, %n], [%row, %one] : !tt.ptr<f16>, !desc
  scf.if %flag {
    %c = tt.make_tensor_descriptor %p, [%n, %n], [%row, %one] : !tt.ptr<f16>, !desc
    "use"(%c) : (!desc) -> ()
  }
  %at = tt.addptr %p, %n : !tt.ptr<f16>, i32
  %d = tt.make_tensor_descriptor %at, [%n, %n], [%row, %one] : !tt.ptr<f16>, !desc
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x64xf16>>
  "use"(%a, %b, %d, %e) : (!desc, !desc, !desc, !tt.tensordesc<tensor<128x64xf16>>) -> ()
  tt.return
}

// -----

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

tt.func public @stride(%p: !tt.ptr<f16>, %n: i32) {
  %one = arith.constant 1 : i64
  %row = arith.constant 68 : i64
  // expected-error@+1 {{stride 0 of this descriptor is 136 bytes; rows of its tensor begin at multiples of 16 bytes}}
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x64xf16, #s>>
  "use"(%d) : (!tt.tensordesc<tensor<128x64xf16, #s>>) -> ()
  tt.return
}
