//===- BarrierOps.td - Barriers in shared memory, fences, clusters --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_BARRIEROPS
#define TILEWRIGHT_IR_TTNG_BARRIEROPS

include "ir/ttng/OpBase.td"

//===--------------------------------------------------------------------------===//
// Fences and clusters
//===--------------------------------------------------------------------------===//

/// An op that orders accesses counts as reading and writing all memory.
class TTNG_FenceOp<string mnemonic>
    : TTNG_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
}

def TTNG_FenceAsyncSharedOp : TTNG_FenceOp<"fence_async_shared"> {
  let summary = "Threads' accesses of shared memory come before those of asynchronous units";
  let arguments = (ins BoolAttr:$bCluster);
}

def TTNG_FenceMBarrierInitReleaseClusterOp
    : TTNG_FenceOp<"fence_mbarrier_init_release_cluster"> {
  let summary = "The cluster's blocks see which barriers were made";
}

def TTNG_ClusterBarrierOp : TTNG_FenceOp<"cluster_barrier"> {
  let summary = "The threads of the cluster wait for one another";
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
}

def TTNG_ClusterArriveOp : TTNG_FenceOp<"cluster_arrive"> {
  let summary = "First half of a cluster's barrier: this thread is there";
  let arguments = (ins BoolAttr:$relaxed);
}

def TTNG_ClusterWaitOp : TTNG_FenceOp<"cluster_wait"> {
  let summary = "Second half of a cluster's barrier: wait until all threads are there";
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

def TTNG_SetRegistersOp : TTNG_FenceOp<"set_registers"> {
  let summary = "Threads that run this have `count` registers from here on";
  let description = [{
    All warps of the warp groups (of four) that run it do. With `isMore` they have had no more so
    far, and wait until others have given up as many; without, no fewer.
  }];
  let arguments = (ins I32Attr:$count, UnitAttr:$isMore);
  let assemblyFormat = "$count attr-dict";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Barriers
//===--------------------------------------------------------------------------===//

/// On `$alloc` and nothing else.
class TTNG_BarrierOp<string mnemonic> : TTNG_Op<mnemonic> {
  let hasVerifier = 1;
}

def TTNG_InitBarrierOp : TTNG_BarrierOp<"init_barrier"> {
  let summary = "Make a barrier on which `count` threads arrive in each phase";
  let arguments = (ins TTNG_Writes<>:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}

def TTNG_InvalBarrierOp : TTNG_BarrierOp<"inval_barrier"> {
  let summary = "End of a barrier: its memory may be used for something else";
  let arguments = (ins TTNG_Writes<>:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}

def TTNG_BarrierExpectOp : TTNG_BarrierOp<"barrier_expect"> {
  let summary = "Arrive, and expect `size` bytes of copies to arrive before the phase ends";
  let arguments = (ins TTNG_Writes<>:$alloc, I32Attr:$size, I1:$pred);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
  let extraClassDeclaration = TTNG_TellsBarrier<"Alloc">.decl;
}

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments]> {
  let summary = "Wait for the end of the phase with this parity";
  let description = [{
    `deps` is memory that asynchronous units read or write until then: its accesses after the
    wait depend on it.
  }];
  let arguments = (ins TTNG_Changes<>:$alloc, I32:$phase, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict
    `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Waits<"Barriers", "0">.decl # TTNG_TellsBarrier<"Alloc">.decl;
}

def TTNG_ArriveBarrierOp : TTNG_BarrierOp<"arrive_barrier"> {
  let summary = "Arrive `count` times";
  let description = [{
    One thread arrives when all of its group are done with what stands before. With `perWarp` each
    warp arrives for itself, `count` times, when its own lanes are done, and waits for no other.
  }];
  let arguments = (ins TTNG_Changes<>:$alloc, I32Attr:$count, Optional<I1>:$pred,
                       UnitAttr:$perWarp);
  let assemblyFormat = [{
    $alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))
  }];
  let extraClassDeclaration = TTG_AsyncRole<"Barriers", "false", "!getPerWarp()",
                                            "std::nullopt">.decl
                            # TTNG_TellsBarrier<"Alloc">.decl;
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let summary = "Arrive when this thread's asynchronous copies are done";
  let arguments = (ins TTNG_Changes<>:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Commits<"Barriers">.decl # TTNG_TellsBarrier<"Barrier">.decl;
}

//===--------------------------------------------------------------------------===//
// Cluster launch control
//===--------------------------------------------------------------------------===//

def TTNG_CLCTryCancelSyncOp : TTNG_FenceOp<"clc_try_cancel_sync"> {
  let summary = "Ask for the work of a block that has not begun, and wait for the answer";
  let results = (outs RankedTensorOf<[I64]>:$response);
  let assemblyFormat = "attr-dict `:` type($response)";
}

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel"> {
  let summary = "Ask for the work of a block that has not begun";
  let description = "The answer is put into `result`, and the barrier told.";
  let arguments = (ins TTNG_Writes<>:$result, TTNG_Changes<>:$mbarrier, UnitAttr:$multicast);
  let assemblyFormat = [{
    $result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Issues<"Barriers">.decl;
}

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "The answer, from shared memory";
  let arguments = (ins TTNG_Reads<>:$src);
  let results = (outs I<128>:$clcResult);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)";
}

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "Whether the answer names a block";
  let arguments = (ins I<128>:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)";
}

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "Index along an axis of the grid of the block that the answer names";
  let arguments = (ins I<128>:$clcResult, TT_ProgramDim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)
  }];
}

#endif // TILEWRIGHT_IR_TTNG_BARRIEROPS
