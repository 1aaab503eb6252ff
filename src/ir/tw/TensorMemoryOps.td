//===- TensorMemoryOps.td - The tensor memory of a kernel -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_TENSORMEMORYOPS
#define TILEWRIGHT_IR_TW_TENSORMEMORYOPS

include "ir/tt/OpBase.td"
include "ir/ttg/OpBase.td"
include "ir/tw/Dialect.td"

def TW_TensorMemoryReserveOp : Op<Tilewright_Dialect, "tensor_memory_reserve",
                                  [MemoryEffects<[MemRead, MemWrite]>, TT_LayoutOp]> {
  let summary = "Take columns of tensor memory for the block";
  let description = [{
    All threads of the block take part, once in a kernel. `columns` is a power of two from 32 to
    512. The result is the address of the first one, in the form that instructions take: the row in
    the upper 16 bits, the column in the lower. The block waits until so many columns are free.
  }];
  let arguments = (ins I32Attr:$columns);
  let results = (outs I32:$base);
  let assemblyFormat = "attr-dict";
}

def TW_TensorMemoryReleaseOp : Op<Tilewright_Dialect, "tensor_memory_release",
                                  [MemoryEffects<[MemRead, MemWrite]>, TT_LayoutOp]> {
  let summary = "Give the block's columns of tensor memory back";
  let description = [{
    All threads of the block take part, after all that accesses the memory. It must have come to
    this before the block ends.
  }];
  let arguments = (ins I32:$base, I32Attr:$columns);
  let assemblyFormat = "$base attr-dict";
}

def TW_TensorMemoryViewOp : Op<Tilewright_Dialect, "tensor_memory_view", [Pure, TT_LayoutOp]> {
  let summary = "A piece of the block's tensor memory";
  let description = [{
    A `!ttg.memdesc` in tensor memory that begins `row` rows and `column` columns after `base`, and
    perhaps a token for what orders accesses to it.

    ```mlir
    %base = tw.tensor_memory_reserve {columns = 128 : i32}
    %acc = tw.tensor_memory_view %base {row = 0 : i32, column = 0 : i32}
        : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    tw.tensor_memory_release %base {columns = 128 : i32}
    ```
  }];
  let arguments = (ins I32:$base, I32Attr:$row, I32Attr:$column);
  let results = (outs AnyType:$result, Variadic<AnyType>:$token);
  let assemblyFormat = "$base attr-dict `:` type(results)";
  let hasVerifier = 1;
}

def TW_MemoryDotOp : Op<Tilewright_Dialect, "memory_dot", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TT_LayoutOp, TTG_SharedMemoryUser,
    TypesMatchWith<"the accumulator has the result's type", "d", "c", "$_self">]> {
  let summary = "a @ b + c with operands in shared memory, by a unit with a memory of its own";
  let description = [{
    What a product in tensor memory is while passes choose layouts and overlap iterations: a value.
    A pass of the vendor's decides then where its accumulator lies and who waits for it. The tile of
    an instruction is `blockM` x `blockN`.
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TT_Tensor:$c,
    DefaultValuedAttr<TT_InputPrecision,
                      "::tilewright::tt::InputPrecision::IEEE">:$inputPrecision,
    I32Attr:$blockM, I32Attr:$blockN);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c attr-dict `:` qualified(type($a)) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
  // A product, which is complete when it is over.
  let extraClassDeclaration = TTG_AsyncRole<"Products", "false", "false", "std::nullopt">.decl;
}

#endif // TILEWRIGHT_IR_TW_TENSORMEMORYOPS
