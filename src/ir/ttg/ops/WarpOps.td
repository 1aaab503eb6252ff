//===- WarpOps.td - What warps do together, and which do what -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_WARPOPS
#define TILEWRIGHT_IR_TTG_WARPOPS

include "ir/ttg/OpBase.td"

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "The threads of the group wait for one another";
  let description = [{
    The group is that of the warps that run the op (ThreadGroup.h): all of a block, where no
    partition has warps of its own.

    `ttg.barrier` names the memory whose accesses before it are seen by all after it: `local`
    (shared memory), `global_read`, `global_write`, `tensor`, joined by `|`, or `all`.
  }];
  let arguments = (ins I32Attr:$addressSpaces);
  let hasCustomAssemblyFormat = 1;
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "The number of this thread's warp in its group";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

//===--------------------------------------------------------------------------===//
// Warps that run different code
//===--------------------------------------------------------------------------===//

def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize", [RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "Warps of the block run different code at the same time";
  let description = [{
    The block's warps run the default region, whose `ttg.warp_yield` gives the results. Each
    partition is run by `num_warps` further warps, which see only their arguments: the
    operands, one an argument. All meet again after the op.

    `warpGroupStartIds`: the first warp of each partition. `requestedRegisters`: registers a
    thread of each partition asks for; `actualRegisters`: what they get, the default region
    first.

    ```mlir
    %r = ttg.warp_specialize(%a) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield %a : i32
    }
    partition0(%x: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> i32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$explicitCaptures, DenseI32ArrayAttr:$partitionNumWarps,
    OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
    OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
    OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region MinSizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let extraClassDeclaration = [{
    /// The op that holds the partitions' regions.
    WarpSpecializePartitionsOp getPartitionOp();
    ::mlir::MutableArrayRef<::mlir::Region> getPartitionRegions();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCustomAssemblyFormat = 1;
}

def TTG_WarpSpecializePartitionsOp : TTG_Op<"warp_specialize.partitions", [IsolatedFromAbove,
    RecursiveMemoryEffects, RecursivelySpeculatable, Terminator, HasParent<"WarpSpecializeOp">]> {
  let summary = "Holds the partitions of ttg.warp_specialize";
  let description = "What stands between them and the values around them. No text has it.";
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
}

def TTG_WarpYieldOp : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike,
                                            HasParent<"WarpSpecializeOp">]> {
  let summary = "End of the default region, and its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike,
                                              HasParent<"WarpSpecializePartitionsOp">]> {
  let summary = "End of a partition";
  let assemblyFormat = "attr-dict";
}

//===--------------------------------------------------------------------------===//
// Ops that the pipeliner produces
//===--------------------------------------------------------------------------===//

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let summary = "Whether a stage of a pipelined loop still has work in this iteration";
  let description = [{
    True where iteration `iv` is at least `maxStage` - `stage` steps from the bound `ub`.
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub,
                       AnySignlessIntegerOrIndex:$step, I32Attr:$maxStage, I32Attr:$stage);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict
    `:` type($iv) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_MaskOp : TTG_Op<"mask", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Ops that have effects only where the predicate holds";
  let description = "What the region gives without the predicate is undefined.";
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
  let hasRegionVerifier = 1;
}

def TTG_MaskReturnOp : TTG_Op<"mask.return", [Pure, Terminator, ReturnLike, HasParent<"MaskOp">]> {
  let summary = "What ttg.mask gives";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

#endif // TILEWRIGHT_IR_TTG_WARPOPS
