//===- MemoryOps.td - Tensors in shared memory --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_MEMORYOPS
#define TILEWRIGHT_IR_TTG_MEMORYOPS

include "ir/ttg/OpBase.td"

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Shared memory, initialized with a tensor or not";
  let description = [{
    Memory that is not mutable holds `src` as long as it lives: until it is placed
    (`allocation.offset`), two such allocations of one tensor are the same, and an unused one
    may go. `alignment` is in bytes.
  }];
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, ::mlir::IntegerAttr());
  }]>, OpBuilder<(ins "::mlir::Type":$result), [{
    build($_builder, $_state, result, ::mlir::Value(), ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "End of the life of shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<TTG_SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

def TTG_LocalLoadOp : TTG_Op<"local_load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A tensor from shared memory";
  let description = "`token` is of the asynchronous copies that were waited for.";
  let arguments = (ins TTG_MemDescType:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, ::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "A tensor into shared memory";
  let arguments = (ins TT_Tensor:$src,
                       Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let summary = "Elements of shared memory, picked along one dimension";
  let description = [{
    Element (.., i, ..) of the result is element (.., indices[.., i, ..], ..) of `src`, where
    the index replaces the coordinate of dimension `axis`.
  }];
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>:$src,
                       TT_IntTensor:$indices, I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict
    `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "Elements put into shared memory at places along one dimension";
  let description = [{
    Element (.., i, ..) of `values` goes to (.., indices[.., i, ..], ..) of `dst`, where the
    index replaces the coordinate of dimension `axis`.
  }];
  let arguments = (ins Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$dst,
                       TT_IntTensor:$indices, TT_Tensor:$values, I32Attr:$axis,
                       Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [
    OptionalTypesMatchWith<"the mask is i1 of the values' shape and layout", "values", "mask",
                           "::tilewright::tt::getMaskType($_self)">]> {
  let summary = "Elements of shared memory changed at places along one dimension, each as one step";
  let description = [{
    LayoutBases are those of `ttg.local_scatter`. The result is what was in memory before; elements
    whose mask is false are left as they are.
  }];
  let arguments = (ins TT_RMWOp:$atomic_rmw_op,
    Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>:$dst,
    TT_IntTensor:$indices, TT_Tensor:$values, Optional<TT_BoolTensor>:$mask, I32Attr:$axis);
  let results = (outs Optional<TT_Tensor>:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Views of memory
//===--------------------------------------------------------------------------===//

class TTG_ViewOp<string mnemonic> : TTG_Op<mnemonic, [Pure]> {
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTG_MemDescIndexOp : TTG_ViewOp<"memdesc_index"> {
  let summary = "One of several buffers";
  let description = "Element `index` of the first dimension.";
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

def TTG_MemDescSubsliceOp : TTG_ViewOp<"memdesc_subslice"> {
  let summary = "A part of a tensor in memory, from known offsets";
  let description = [{
    The result's alloc shape is that of the operand. Its first element has the coordinates
    `offsets` in the operand, which are multiples of the result's sizes.
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict
    `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TTG_MemDescTransOp : TTG_ViewOp<"memdesc_trans"> {
  let summary = "The same memory with its dimensions permuted";
  let description = "Dimension i of the result is dimension `order[i]` of the operand.";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let builders = [
    /// The result's encoding is the operand's, permuted: SharedLayoutEncoding::inferTrans, which
    /// must not be null.
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<int32_t>":$order)>];
  let hasFolder = 1;
}

def TTG_MemDescReshapeOp : TTG_ViewOp<"memdesc_reshape"> {
  let summary = "The same memory with another shape, rows first";
  let arguments = (ins TTG_MemDescType:$src);
  let hasFolder = 1;
}

def TTG_MemDescReinterpretOp : TTG_ViewOp<"memdesc_reinterpret"> {
  let summary = "The same memory as another type";
  let description = [{
    The result begins where the operand does; its shape and elements are its own. It takes the
    bytes of the operand at most. The result of `memdesc_index` may also be taken for as much as the
    memory has from that buffer on.
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let hasFolder = 1;
}

#endif // TILEWRIGHT_IR_TTG_MEMORYOPS
