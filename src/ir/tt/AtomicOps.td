//===- AtomicOps.td - Memory that several programs change -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_ATOMICOPS
#define TILEWRIGHT_IR_TT_ATOMICOPS

include "ir/tt/OpBase.td"

class TT_AtomicOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw", [
    TypesMatchWith<"the value has the pointee's type", "ptr", "val",
                   "::tilewright::tt::getPointeeType($_self)">,
    TypesMatchWith<"the result has the pointee's type", "ptr", "result",
                   "::tilewright::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask is i1 of the pointer's shape and layout", "ptr", "mask",
                   "::tilewright::tt::getMaskType($_self)">]> {
  let summary = "Read, change and write back, as one step";
  let description = [{
    The result is what was in memory before. Elements whose mask is false are left as they are;
    their results are undefined.
  }];
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, TT_PtrLike:$ptr, TT_Type:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas", [
    TypesMatchWith<"`cmp` has the pointee's type", "ptr", "cmp",
                   "::tilewright::tt::getPointeeType($_self)">,
    TypesMatchWith<"`val` has the pointee's type", "ptr", "val",
                   "::tilewright::tt::getPointeeType($_self)">,
    TypesMatchWith<"the result has the pointee's type", "ptr", "result",
                   "::tilewright::tt::getPointeeType($_self)">]> {
  let summary = "Write `val` where `cmp` is in memory, as one step";
  let description = "The result is what was in memory before.";
  let arguments = (ins TT_PtrLike:$ptr, TT_Type:$cmp, TT_Type:$val, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicPollOp : TT_AtomicOp<"atomic_poll"> {
  let summary = "Wait until `expected` is in memory";
  let description = [{
    The result says whether it came before `timeout` nanoseconds, if that is given, were over.
  }];
  let arguments = (ins TT_Ptr:$ptr, TT_Int:$expected, Optional<I64>:$timeout,
                       TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:`
    qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait for the kernels that this launch depends on";
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyLaunchOp
    : TT_Op<"grid_dependency_launch_dependents", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Let the kernels that depend on this launch begin";
  let assemblyFormat = "attr-dict";
}

#endif // TILEWRIGHT_IR_TT_ATOMICOPS
