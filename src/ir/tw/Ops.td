//===- Ops.td - The ops of the tw dialect -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_OPS
#define TILEWRIGHT_IR_TW_OPS

include "ir/tt/OpBase.td"
include "ir/tw/ClusterOps.td"
include "ir/tw/Enums.td"
include "ir/tw/TensorMemoryOps.td"
include "ir/tw/Types.td"

class TW_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tilewright_Dialect, mnemonic, !listconcat(traits, [TT_LayoutOp])>;

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

/// The place of a matrix in memory. `row` and `column` are those of the matrix's first element;
/// element (i, j) stands at `base` + (row + i) * strides[0] + (column + j) * strides[1], in
/// elements. With `transposed` the two strides, and the two sizes, change places.
defvar placeInMemory = (ins TT_Ptr:$base, I32:$row, I32:$column, I64:$stride0, I64:$stride1,
                            Variadic<I32>:$shape, UnitAttr:$transposed, UnitAttr:$rows_checked,
                            UnitAttr:$cols_checked);

class TW_MatrixInMemoryOp<string mnemonic, list<Trait> traits = []>
    : TW_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasVerifier = 1;
}

class TW_MatrixLoadOp<string mnemonic, list<Trait> traits = []>
    : TW_MatrixInMemoryOp<mnemonic, traits> {
  let arguments = placeInMemory;
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = [{
    $base `[` $row `,` $column `]` `strides` `(` $stride0 `,` $stride1 `)`
    (`shape` `(` $shape^ `)`)? attr-dict `:` qualified(type($base)) `->` qualified(type($result))
  }];
}

class TW_MatrixStoreOp<string mnemonic, dag kind = (ins), list<Trait> traits = []>
    : TW_MatrixInMemoryOp<mnemonic, traits> {
  let arguments = !con(kind, (ins TW_CoopMatrixType:$value), placeInMemory);
  let assemblyFormat = [{
    $value `,` $base `[` $row `,` $column `]` `strides` `(` $stride0 `,` $stride1 `)`
    (`shape` `(` $shape^ `)`)? attr-dict `:` qualified(type($value)) `,` qualified(type($base))
  }];
}

def TW_CoopMatrixLoadOp : TW_MatrixLoadOp<"coopmatrix_load"> {
  let summary = "Load a matrix";
  let description = [{
    With `rows_checked`, elements whose row (`row` + i) is not in [0, shape[0]) are 0 and not read;
    with `cols_checked` those whose column is not in [0, shape[1]).

    ```mlir
    %a = tw.coopmatrix_load %p[%i, %j] strides(%s0, %s1) shape(%m, %n) {cols_checked}
       : !tt.ptr<f32> -> !tw.coopmatrix<4x15xf32, matrix_a>
    ```
  }];
}

def TW_CoopMatrixStoreOp : TW_MatrixStoreOp<"coopmatrix_store"> {
  let summary = "Store a matrix";
  let description = "Elements outside, where they are checked, are not written; padding never is.";
}

def TW_CoopMatrixAtomicLoadOp : TW_MatrixLoadOp<"coopmatrix_atomic_load"> {
  let summary = "Load a matrix, each element by an atomic operation (relaxed, of the device)";
}

def TW_CoopMatrixAtomicStoreOp : TW_MatrixStoreOp<"coopmatrix_atomic_store"> {
  let summary = "Store a matrix, each element by an atomic operation (relaxed, of the device)";
}

def TW_CoopMatrixAtomicUpdateOp
    : TW_MatrixStoreOp<"coopmatrix_atomic_update", (ins TW_CombineKind:$kind)> {
  let summary = "Combine a matrix with one in memory, each element by an atomic operation";
  let assemblyFormat = [{
    $kind $value `,` $base `[` $row `,` $column `]` `strides` `(` $stride0 `,` $stride1 `)`
    (`shape` `(` $shape^ `)`)? attr-dict `:` qualified(type($value)) `,` qualified(type($base))
  }];
}

def TW_CoopMatrixPrefetchOp : TW_MatrixInMemoryOp<"coopmatrix_prefetch"> {
  let summary = "Say that a matrix will be read soon";
  let arguments = !con(placeInMemory, (ins TypeAttrOf<TW_CoopMatrixType>:$matrix));
  let assemblyFormat = [{
    $base `[` $row `,` $column `]` `strides` `(` $stride0 `,` $stride1 `)`
    (`shape` `(` $shape^ `)`)? `as` qualified($matrix) attr-dict `:` qualified(type($base))
  }];
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

def TW_CoopMatrixMulAddOp : TW_Op<"coopmatrix_mul_add", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "A * B + C";
  let description = [{
    M x K by K x N, of one element type, added to M x N. Sums are of the type of C: f32 or f16 or
    the type itself for f16 and bf16 (in f32, rounded once), f32 and f64 for themselves, i32 or i64
    for integers. `unsigned_a` and `unsigned_b` say that the elements of an operand are not signed.
  }];
  let arguments = (ins TW_CoopMatrixType:$a, TW_CoopMatrixType:$b, TW_CoopMatrixType:$c,
                       UnitAttr:$unsigned_a, UnitAttr:$unsigned_b);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TW_CoopMatrixScaleOp
    : TW_Op<"coopmatrix_scale", [Pure, AllTypesMatch<["matrix", "result"]>,
        TypesMatchWith<"the factor has the type of the elements", "result", "factor",
                       "::llvm::cast<CoopMatrixType>($_self).getElementType()">]> {
  let summary = "Each element by a factor";
  let arguments = (ins TW_Element:$factor, TW_CoopMatrixType:$matrix);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = "$factor `,` $matrix attr-dict `:` qualified(type($result))";
}

def TW_CoopMatrixSplatOp
    : TW_Op<"coopmatrix_splat", [Pure,
        TypesMatchWith<"the value has the type of the elements", "result", "value",
                       "::llvm::cast<CoopMatrixType>($_self).getElementType()">]> {
  let summary = "A matrix whose elements are all one value; its padding is 0";
  let arguments = (ins TW_Element:$value);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def TW_CoopMatrixCastOp : TW_Op<"coopmatrix_cast", [Pure]> {
  let summary = "The same elements with another type or use";
  let description = [{
    The use stays, or an accumulator becomes an operand. Floats are rounded to nearest even, and
    toward zero on their way to integers. `is_unsigned`: the integers, on either side, have no sign.
  }];
  let arguments = (ins TW_CoopMatrixType:$matrix, UnitAttr:$is_unsigned);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = "$matrix attr-dict `:` qualified(type($matrix)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Components
//===--------------------------------------------------------------------------===//

def TW_CoopMatrixExtractOp : TW_Op<"coopmatrix_extract", [Pure]> {
  let summary = "One component of all lanes";
  let description = [{
    Element p of the tensor is component `component` of lane p; 0 where that is padding. The tensor
    has as many elements as a warp has lanes.
  }];
  let arguments = (ins TW_CoopMatrixType:$matrix, I64Attr:$component);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $matrix `[` $component `]` attr-dict `:` qualified(type($matrix)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TW_CoopMatrixInsertOp : TW_Op<"coopmatrix_insert", [Pure, AllTypesMatch<["matrix", "result"]>]> {
  let summary = "Replace one component of all lanes";
  let description = "Elements of the tensor for padding are not used.";
  let arguments = (ins AnyRankedTensor:$value, TW_CoopMatrixType:$matrix, I64Attr:$component);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = [{
    $value `,` $matrix `[` $component `]` attr-dict `:` qualified(type($value)) `,` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TW_CoopMatrixApplyOp
    : TW_Op<"coopmatrix_apply", [RecursiveMemoryEffects]> {
  let summary = "A function of each element and its row and column";
  let description = [{
    The region takes the row, the column (i32) and the element, and returns the new one. It is not
    run for padding, which stays 0.

    ```mlir
    %r = tw.coopmatrix_apply %m : !tw.coopmatrix<4x15xf32, matrix_acc>
                               -> !tw.coopmatrix<4x15xf32, matrix_acc> {
    ^bb0(%row: i32, %column: i32, %v: f32):
      %n = arith.negf %v : f32
      tw.coopmatrix_apply.return %n : f32
    }
    ```
  }];
  let arguments = (ins TW_CoopMatrixType:$matrix);
  let results = (outs TW_CoopMatrixType:$result);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$matrix attr-dict `:` qualified(type($matrix)) `->` qualified(type($result)) $body";
  let hasRegionVerifier = 1;
}

def TW_CoopMatrixApplyReturnOp
    : TW_Op<"coopmatrix_apply.return",
            [Pure, Terminator, ReturnLike, HasParent<"CoopMatrixApplyOp">]> {
  let summary = "The new element";
  let arguments = (ins TW_Element:$value);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def TW_CoopMatrixReduceOp : TW_Op<"coopmatrix_reduce", [Pure]> {
  let summary = "All elements of each row (axis 1) or of each column (axis 0) combined";
  let description = [{
    M x N becomes M x 1 along axis 1, 1 x N along axis 0, of the same type and use. Sums of f16 and
    bf16 are made in f32 and rounded once; of two numbers of which one is a NaN, min and max take
    the other one.
  }];
  let arguments = (ins TW_CombineKind:$kind, TW_CoopMatrixType:$matrix, I32Attr:$axis);
  let results = (outs TW_CoopMatrixType:$result);
  let assemblyFormat = [{
    $kind $matrix `axis` $axis attr-dict `:` qualified(type($matrix)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_TW_OPS
