//===- TensorCopyOps.td - Copies by the tensor memory accelerator ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_TENSORCOPYOPS
#define TILEWRIGHT_IR_TTNG_TENSORCOPYOPS

include "ir/ttng/OpBase.td"

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store"> {
  let summary = "Begin to store a tensor into a block's shared memory, and tell its barrier";
  let arguments = (ins TT_Tensor:$src, TTNG_Writes<>:$dst, TTNG_Changes<>:$mbarrier);
  let assemblyFormat = [{
    $src `,` $dst `,` $mbarrier attr-dict
    `:` type($src) `->` qualified(type($dst)) `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"Barriers">.decl;
}

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead<TTG_GlobalMemory>]>]> {
  let summary = "Begin to load the block at `coord`; the barrier is told when it is there";
  let description = "`offsets` are those of a patch's pixels, of a descriptor that is im2col.";
  let arguments = (ins TTNG_Descriptor:$desc, Variadic<I32>:$coord, Variadic<I16>:$offsets,
    TTNG_Changes<>:$barrier, TTNG_Writes<>:$result, I1:$pred,
    DefaultValuedAttr<TT_CacheModifier, "::tilewright::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilewright::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, UnitAttr:$multicast);
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"Barriers">.decl # TTNG_TellsBarrier<"Barrier">.decl;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global", [
    MemoryEffects<[MemWrite<TTG_GlobalMemory>]>]> {
  let summary = "Begin to store the block at `coord`";
  let arguments = (ins TT_TensorDesc:$desc, Variadic<I32>:$coord, TTNG_Reads<>:$src);
  let assemblyFormat = [{
    $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_IssuesGroup<"TensorStores">.decl;
}

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce", [
    MemoryEffects<[MemRead<TTG_GlobalMemory>, MemWrite<TTG_GlobalMemory>]>]> {
  let summary = "Begin to combine the block at `coord` with what is in memory";
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDesc:$desc, Variadic<I32>:$coord,
                       TTNG_Reads<>:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict
    `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_IssuesGroup<"TensorStores">.decl;
}

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather", [
    MemoryEffects<[MemRead<TTG_GlobalMemory>]>]> {
  let summary = "Begin to load rows from column `y_offset` on, each with its own index";
  let arguments = (ins TT_TensorDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
                       TTNG_Changes<>:$barrier, TTNG_Writes<>:$result, I1:$pred);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"Barriers">.decl # TTNG_TellsBarrier<"Barrier">.decl;
}

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter", [
    MemoryEffects<[MemWrite<TTG_GlobalMemory>]>]> {
  let summary = "Begin to store rows from column `y_offset` on, each at its own index";
  let arguments = (ins TT_TensorDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
                       TTNG_Reads<>:$src);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_IssuesGroup<"TensorStores">.decl;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait", [
    MemoryEffects<[MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>]> {
  let summary = "Wait until at most `pendings` groups of stores are still under way";
  let description = "With `read_only` until they have read shared memory, which may then change.";
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Waits<"TensorStores", "getPendings()">.decl;
}

//===--------------------------------------------------------------------------===//
// Descriptors
//===--------------------------------------------------------------------------===//

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "The descriptor that stands at an address";
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TTNG_Descriptor:$result);
  let assemblyFormat =
    "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [AttrSizedOperandSegments]> {
  let summary = "Write a descriptor";
  let description = [{
    The 128 bytes at `desc_ptr` become the descriptor of the tensor at `global_address`: sizes of
    a block and of the tensor, the fastest dimension first; strides in bytes, but for that one;
    strides of elements. The numbers are those of PTX's tensormap.replace.
  }];
  let arguments = (ins
    Arg<TT_Ptr, "", [MemRead<TTG_GlobalMemory>, MemWrite<TTG_GlobalMemory>]>:$desc_ptr,
    TT_Ptr:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride, I32Attr:$elem_type,
    I32Attr:$interleave_layout, I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,`
    `[` $global_stride `]` `,` `[` $element_stride `]` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire"> {
  let summary = "The tensor memory accelerator sees the descriptor as it was written";
  let arguments = (ins
    Arg<TT_Ptr, "", [MemRead<TTG_GlobalMemory>, MemWrite<TTG_GlobalMemory>]>:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif // TILEWRIGHT_IR_TTNG_TENSORCOPYOPS
