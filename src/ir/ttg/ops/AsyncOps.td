//===- AsyncOps.td - Asynchronous copies into shared memory -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ASYNCOPS
#define TILEWRIGHT_IR_TTG_ASYNCOPS

include "ir/ttg/OpBase.td"

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [AttrSizedOperandSegments,
    OptionalTypesMatchWith<"the mask is i1 of the pointer's shape and layout", "src", "mask",
                   "::tilewright::tt::getMaskType($_self)">,
    OptionalTypesMatchWith<"`other` has the pointee's type", "src", "other",
                   "::tilewright::tt::getPointeeType($_self)">]> {
  let summary = "Begin to copy from global to shared memory";
  let description = [{
    Elements whose mask is false are `other`, or zero without it. `contiguity` is the number of
    neighbouring elements that may be copied at once. What was begun is waited for by
    `ttg.async_commit_group` and `ttg.async_wait`.
  }];
  let arguments = (ins
    Arg<TT_PtrTensor, "", [MemRead<TTG_GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$result,
    Optional<TT_BoolTensor>:$mask, Optional<TT_Tensor>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tilewright::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilewright::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"CopyGroups">.decl;
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group", [MemoryEffects<[MemRead<TTG_GlobalMemory>, MemWrite<TTG_SharedMemory>]>]> {
  let summary = "The copies begun since the last group are a group";
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
  let extraClassDeclaration = TTG_Commits<"CopyGroups">.decl;
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [MemoryEffects<[MemRead<TTG_GlobalMemory>, MemWrite<TTG_SharedMemory>]>]> {
  let summary = "Wait until at most `num` groups of copies are still under way";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Waits<"CopyGroups", "getNum()">.decl;
}

#endif // TILEWRIGHT_IR_TTG_ASYNCOPS
