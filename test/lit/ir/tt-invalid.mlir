// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

tt.func @tile_size(%x: f32) {
  // expected-error @below {{'tt.splat' op has 'tensor<12xf32>' as result #0; every size must be a power of two}}
  %0 = tt.splat %x : f32 -> tensor<12xf32>
  tt.return
}

// -----

tt.func @too_many_elements(%x: f32) {
  // expected-error @below {{'tt.splat' op result #0 has more than 1048576 elements, the most a tensor may have}}
  %0 = tt.splat %x : f32 -> tensor<2048x1024xf32>
  tt.return
}

// -----

// A product that does not fit 64 bits.
tt.func @far_too_many_elements(%x: f32) {
  // expected-error @below {{'tt.splat' op result #0 has more than 1048576 elements, the most a tensor may have}}
  %0 = tt.splat %x : f32 -> tensor<1048576x17592186044416xf32>
  tt.return
}

// -----

tt.func @tile_size_of_operand(%p: tensor<3x!tt.ptr<f32>>) {
  // expected-error @below {{'tt.load' op has 'tensor<3x!tt.ptr<f32>>' as operand #0; every size must be a power of two}}
  %0 = tt.load %p : tensor<3x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @below {{!tt.ptr points to an integer or a floating-point number, or to a tensor of them, not to '!tt.ptr<f32>'}}
tt.func private @pointer_to_pointer(!tt.ptr<!tt.ptr<f32>>)

// -----

// expected-error @below {{an address space is not negative, got -1}}
tt.func private @address_space(!tt.ptr<f32, -1>)

// -----

// expected-error @below {{unbalanced '<' character in pretty dialect name}}
tt.func private @unclosed_pointer(!tt.ptr<f32, 3)

// -----

tt.func @bitcast_width(%x: f32) {
  // expected-error @below {{'tt.bitcast' op cannot turn 'f32' into 'i16': the widths differ}}
  %0 = tt.bitcast %x : f32 -> i16
  tt.return
}

// -----

tt.func @bitcast_of_pointer(%x: !tt.ptr<f32>) {
  // expected-error @below {{'tt.bitcast' op does not turn pointers into numbers or back; use tt.ptr_to_int or tt.int_to_ptr}}
  %0 = tt.bitcast %x : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @cast_of_shape(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.bitcast' op requires the same shape for all operands and results}}
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @narrow_integer_as_pointer(%x: i32) {
  // expected-error @below {{'tt.int_to_ptr' op operand #0 must be 64-bit signless integer or ranked tensor of 64-bit signless integer values, but got 'i32'}}
  %0 = tt.int_to_ptr %x : i32 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @rounding_missing(%x: f32) {
  // expected-error @below {{'tt.fp_to_fp' op needs `rounding = rtne` or `rounding = rtz`, as 'f16' is narrower than 'f32'}}
  %0 = tt.fp_to_fp %x : f32 -> f16
  tt.return
}

// -----

tt.func @rounding_without_meaning(%x: f16) {
  // expected-error @below {{'tt.fp_to_fp' op is exact when it widens: a rounding mode has no meaning}}
  %0 = tt.fp_to_fp %x, rounding = rtne : f16 -> f32
  tt.return
}

// -----

tt.func @rounding_unknown(%x: f32) {
  // expected-error @below {{custom op 'tt.fp_to_fp' expected string or keyword containing one of the following enum values for attribute 'rounding' [rtz, rtne]}}
  %0 = tt.fp_to_fp %x, rounding = up : f32 -> f16
  tt.return
}

// -----

tt.func @addptr_of_number(%x: f32, %i: i32) {
  // expected-error @below {{custom op 'tt.addptr' 'result' must be pointer or ranked tensor of pointer values, but got 'f32'}}
  %0 = tt.addptr %x, %i : f32, i32
  tt.return
}

// -----

tt.func @addptr_shape(%p: tensor<8x!tt.ptr<f32>>, %i: tensor<4xi32>) {
  // expected-error @below {{'tt.addptr' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.addptr %p, %i : tensor<8x!tt.ptr<f32>>, tensor<4xi32>
  tt.return
}

// -----

tt.func @load_of_number(%x: f32) {
  // expected-error @below {{custom op 'tt.load' 'ptr' must be pointer or ranked tensor of pointer values, but got 'f32'}}
  %0 = tt.load %x : f32
  tt.return
}

// -----

// expected-note @below {{prior use here}}
tt.func @load_mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @below {{use of value '%m' expects different type than prior uses: 'tensor<8xi1>' vs 'tensor<4xi1>'}}
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @load_result(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @below {{'tt.load' op failed to verify that the result has the pointee's type}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf16>
  tt.return
}

// -----

tt.func @load_mask_type(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @below {{'tt.load' op failed to verify that the mask is i1 of the pointer's shape and layout}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_other_type(%p: !tt.ptr<f32>, %m: i1, %o: f16) {
  // expected-error @below {{'tt.load' op failed to verify that `other` has the pointee's type}}
  %0 = "tt.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tt.ptr<f32>, i1, f16) -> f32
  tt.return
}

// -----

tt.func @load_cache_modifier(%p: !tt.ptr<f32>) {
  // expected-error @below {{custom op 'tt.load' expected string or keyword containing one of the following enum values for attribute 'cache' [none, ca, cg, wb, cs, wt, cv]}}
  %0 = tt.load %p cacheModifier = warm : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @store_value(%p: !tt.ptr<f32>, %x: f16) {
  // expected-error @below {{'tt.store' op failed to verify that the value has the pointee's type}}
  "tt.store"(%p, %x) : (!tt.ptr<f32>, f16) -> ()
  tt.return
}

// -----

tt.func @store_mask(%p: !tt.ptr<f32>, %x: f32, %m: tensor<8xi1>) {
  // expected-error @below {{'tt.store' op failed to verify that the mask is i1 of the pointer's shape and layout}}
  "tt.store"(%p, %x, %m) : (!tt.ptr<f32>, f32, tensor<8xi1>) -> ()
  tt.return
}

// -----

tt.func @program_axis() {
  // expected-error @below {{custom op 'tt.get_program_id' expected string or keyword containing one of the following enum values for attribute 'axis' [x, y, z]}}
  %0 = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func @range_type() {
  // expected-error @below {{'tt.make_range' op gives a one-dimensional tensor of i32, not 'tensor<8xi64>'}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64>
  tt.return
}

// -----

tt.func @range_order() {
  // expected-error @below {{'tt.make_range' op needs start < end, got [8, 0)}}
  %0 = tt.make_range {end = 0 : i32, start = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_size() {
  // expected-error @below {{'tt.make_range' op gives 16 elements, but its type has 8}}
  %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_without_end() {
  // expected-error @below {{'tt.make_range' op requires attribute 'end'}}
  %0 = tt.make_range {start = 0 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @splat_type(%x: f32) {
  // expected-error @below {{'tt.splat' op of a 'f32' cannot give 'tensor<8xf16>'}}
  %0 = tt.splat %x : f32 -> tensor<8xf16>
  tt.return
}

// -----

tt.func @unsplat_size(%x: tensor<2xf32>) {
  // expected-error @below {{'tt.unsplat' op takes a tensor of one element, got 'tensor<2xf32>'}}
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}

// -----

tt.func @unsplat_of_scalar(%x: f32) {
  // expected-error @below {{custom op 'tt.unsplat' invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = tt.unsplat %x : f32
  tt.return
}

// -----

tt.func @expand_dims_axis(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.expand_dims' op has axis 2, which is not in [0, 1]}}
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_dims_shape(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.expand_dims' op of 'tensor<8xf32>' at axis 0 has shape 1, 8, not that of 'tensor<8x1xf32>'}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_dims_type(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.expand_dims' op requires the same element type for all operands and results}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf16>
  tt.return
}

// -----

tt.func @reshape_size(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.reshape' op keeps the number of elements, but 'tensor<8xf32>' has 8 and 'tensor<4x4xf32>' has 16}}
  %0 = tt.reshape %x : tensor<8xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%x: tensor<1xf32>) {
  // expected-error @below {{'tt.broadcast' op keeps the rank, but 'tensor<1xf32>' and 'tensor<8x8xf32>' differ in it}}
  %0 = tt.broadcast %x : tensor<1xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @broadcast_size(%x: tensor<4x1xf32>) {
  // expected-error @below {{'tt.broadcast' op repeats dimensions of size 1 only, but dimension 0 goes from 4 to 8}}
  %0 = tt.broadcast %x : tensor<4x1xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @trans_order(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.trans' op has `order` = 1, 1, which is no permutation of 0 .. 1}}
  %0 = tt.trans %x {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_order_length(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.trans' op has `order` = 0, which is no permutation of 0 .. 1}}
  %0 = tt.trans %x {order = array<i32: 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_shape(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.trans' op of 'tensor<4x8xf32>' has shape 8, 4, not that of 'tensor<4x8xf32>'}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @reduce_nothing() {
  // expected-error @below {{'tt.reduce' op needs an operand}}
  "tt.reduce"() <{axis = 0 : i32}> ({
  ^bb0:
    "tt.reduce.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @reduce_results(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.reduce' op has 1 operands but 2 results; there is one result an operand}}
  %0:2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_axis(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.reduce' op has axis 1, but its operands have dimensions 0 .. 0}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_shapes(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'tt.reduce' op needs operands of one shape and layout}}
  %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<8xf32>, tensor<4xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_element(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.reduce' op of 'tensor<8xf32>' cannot give 'i32'}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> i32
  tt.return
}

// -----

tt.func @reduce_shape(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.reduce' op of 'tensor<4x8xf32>' along axis 0 has shape 8, not that of 'tensor<4xf32>'}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_arguments(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.reduce' op needs a region that takes the left elements, then the right ones}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_return(%x: tensor<8xf32>, %i: i32) {
  // expected-error @below {{'tt.reduce' op needs a region that ends in tt.reduce.return of one element an operand}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %i : i32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_return_elsewhere(%x: f32) {
  // expected-error @below {{'tt.reduce.return' op expects parent op 'tt.reduce'}}
  tt.reduce.return %x : f32
}

// -----

tt.func @call_of_nothing() {
  // expected-error @below {{'tt.call' op calls 'nowhere', which is no tt.func of this module}}
  tt.call @nowhere() : () -> ()
  tt.return
}

// -----

tt.func private @callee(%x: f32) {
  tt.return
}
tt.func @call_type(%x: f16) {
  // expected-error @below {{'tt.call' op does not match the type of 'callee', '(f32) -> ()'}}
  tt.call @callee(%x) : (f16) -> ()
  tt.return
}

// -----

tt.func @return_type() -> i32 {
  %0 = arith.constant 0.0 : f32
  // expected-error @below {{'tt.return' op does not match the results of 'return_type', '() -> i32'}}
  tt.return %0 : f32
}

// -----

tt.func @return_missing() -> i32 {
  // expected-error @below {{'tt.return' op does not match the results of 'return_missing', '() -> i32'}}
  tt.return
}

// -----

tt.func @no_terminator() {
  // expected-error @below {{block with no terminator, has %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32}}
  %0 = arith.constant 0.0 : f32
}

// -----

module {
  // expected-error @below {{'tt.return' op expects parent op 'tt.func'}}
  tt.return
}

// -----

tt.func @dynamic_size(%x: tensor<?xf32>) {
  // expected-error @below {{'tt.precise_sqrt' op has 'tensor<?xf32>' as operand #0; every size must be a power of two}}
  %0 = tt.precise_sqrt %x : tensor<?xf32>
  tt.return
}
