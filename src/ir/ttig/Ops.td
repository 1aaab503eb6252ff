//===- Ops.td - The ops of the ttig dialect -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTIG_OPS
#define TILEWRIGHT_IR_TTIG_OPS

include "ir/ttg/OpBase.td"
include "ir/ttig/Dialect.td"

/// A rectangle of a matrix in memory, moved by 2D block messages. Element (i, j) of the tensor is
/// element (row + i, column + j) of the matrix; `columnMajor`: (row + j, column + i).
///
/// The matrix has `height` rows, `width` elements in each of them that are in bounds, and `pitch`
/// elements from one row to the next. It keeps the rules of the messages' surfaces
/// (plan/block2d/BlockMessage.h): whoever makes the op has seen to that, when compiling or by a
/// test when the kernel runs.
class TTIG_BlockOp<string mnemonic, list<Trait> traits = []>
    : Op<TritonIntelGPU_Dialect, mnemonic,
         !listconcat(traits, [TTG_TileSizes, TT_LayoutOp, TTG_SharedMemoryUser])> {
  dag surface = (ins TT_Ptr:$base, I32:$row, I32:$column, I32:$height, I32:$width, I32:$pitch,
                     Optional<I64>:$slicePitch);
  string surfaceFormat = [{$base `[` $row `,` $column `]` `of` `[` $height `,` $width `]`
                           `pitch` $pitch (`slices` $slicePitch^)?}];
  let hasVerifier = 1;
}

def TTIG_BlockLoadOp : TTIG_BlockOp<"block_load", [MemoryEffects<[MemRead<TTG_GlobalMemory>]>]> {
  let summary = "Load a rectangle of a matrix; what is out of bounds is zero";
  let description = [{
    ```mlir
    %t = ttig.block_load %p[%row, %column] of [%height, %width] pitch %pitch
       : !tt.ptr<f16> -> tensor<256x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    ```
  }];
  let arguments = !con(surface, (ins UnitAttr:$columnMajor));
  let results = (outs TT_Tensor:$result);
  let assemblyFormat =
      surfaceFormat#"(`column_major` $columnMajor^)? attr-dict `:` type($base) `->` type($result)";
}

def TTIG_BlockStoreOp : TTIG_BlockOp<"block_store", [MemoryEffects<[MemWrite<TTG_GlobalMemory>]>]> {
  let summary = "Store a rectangle of a matrix, as far as it is in bounds";
  let arguments = !con(surface, (ins TT_Tensor:$value, UnitAttr:$columnMajor));
  let assemblyFormat = surfaceFormat#[{(`column_major` $columnMajor^)? `,` $value attr-dict
                                          `:` type($base) `,` type($value)}];
}

def TTIG_BlockPrefetchOp
    : TTIG_BlockOp<"block_prefetch", [MemoryEffects<[MemRead<TTG_GlobalMemory>,
                                                     MemWrite<TTG_GlobalMemory>]>]> {
  let summary = "Bring a rectangle of a matrix into the cache, each warp a part of it";
  let description = [{
    `tile` is the tensor that a load brings later; its layout says which warps there are.
  }];
  let arguments = !con(surface, (ins TypeAttrOf<TT_Tensor>:$tile, UnitAttr:$columnMajor));
  let assemblyFormat = surfaceFormat#[{(`column_major` $columnMajor^)? attr-dict
                                          `:` type($base) `,` $tile}];
}

def TTIG_BuiltinCallOp : Op<TritonIntelGPU_Dialect, "builtin_call",
                            [TTG_TileSizes, TT_LayoutOp, TTG_SharedMemoryUser]> {
  let summary = "An instruction that LLVM's SPIR-V back end knows as a function";
  let description = [{
    All lanes of a sub-group do it together. `parameters`: their types as the function's name has
    them (vendor/intel/lower/Builtins.h). Without `memory` it touches none.
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$parameters, Variadic<AnyType>:$operands,
                       UnitAttr:$memory);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    $name $parameters `(` $operands `)` (`memory` $memory^)? attr-dict
    `:` functional-type($operands, results)
  }];
}

#endif // TILEWRIGHT_IR_TTIG_OPS
