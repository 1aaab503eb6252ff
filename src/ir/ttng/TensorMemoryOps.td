//===- TensorMemoryOps.td - Tensor memory ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_TENSORMEMORYOPS
#define TILEWRIGHT_IR_TTNG_TENSORMEMORYOPS

include "ir/ttng/OpBase.td"

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Tensor memory, perhaps with a tensor in it";
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs TTG_MemDescType:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

/// #ttng.redOp<min>
def TTNG_TMEMLoadReduceAttr
    : EnumAttr<TritonNvidiaGPU_Dialect, TTNG_TMEMLoadReduce, "redOp"> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [AttrSizedResultSegments]> {
  let summary = "A tensor from tensor memory";
  let description = [{
    With `redOp` also the smallest or largest of each row, of absolute values with `abs`; a NaN
    is passed on with `NaN`.
  }];
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTNG_TensorMemory>]>:$src,
    Optional<TTG_AsyncToken>:$dep, OptionalAttr<TTNG_TMEMLoadReduceAttr>:$redOp,
    OptionalAttr<BoolAttr>:$abs, OptionalAttr<BoolAttr>:$NaN);
  let results = (outs TT_Tensor:$result, Optional<TTG_AsyncToken>:$token,
                      Optional<TT_FloatTensor>:$red);
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token)) attr-dict
    `:` qualified(type($src)) `->` type($result) (`,` type($red)^)?
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store"> {
  let summary = "A tensor into tensor memory";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemWrite<TTNG_TensorMemory>]>:$dst,
    Optional<TTG_AsyncToken>:$dep, TT_Tensor:$src, I1:$pred);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict
    `:` type($src) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure]> {
  let summary = "Some columns or rows of a tensor in tensor memory";
  let description = [{
    Those from `offset` on; older texts call it `N`. Rows where `dim` is 0, columns where it is 1 or
    is not there.
  }];
  let arguments = (ins TTG_MemDescType:$src, OptionalAttr<I32Attr>:$offset,
                       OptionalAttr<I32Attr>:$N, OptionalAttr<I32Attr>:$dim);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// The first column or row, under whichever name it stands.
    int32_t getFirst() { return getOffset() ? *getOffset() : *getN(); }
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy"> {
  let summary = "Begin to copy from shared to tensor memory";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>:$src,
                       Arg<TTG_MemDescType, "", [MemWrite<TTNG_TensorMemory>]>:$dst,
                       Optional<TTG_MemDescType>:$barrier);
  let assemblyFormat = [{
    $src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type(operands))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"Barriers">.decl;
}

#endif // TILEWRIGHT_IR_TTNG_TENSORMEMORYOPS
