//===- DotOps.td - Products by groups of warps and by Blackwell's units ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_DOTOPS
#define TILEWRIGHT_IR_TTNG_DOTOPS

include "ir/ttng/OpBase.td"

//===--------------------------------------------------------------------------===//
// Groups of four warps (Hopper)
//===--------------------------------------------------------------------------===//

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the accumulator has the result's type", "d", "c", "$_self">]> {
  let summary = "a @ b + c by groups of four warps, operands in shared memory";
  let description = [{
    `a` may be in registers. Without `useC`, where it is given and false, c counts as zero.
    With `isAsync` the result may be used after `ttng.warp_group_dot_wait`.
  }];
  let arguments = (ins TTNG_TensorOrMemDesc:$a, TTG_MemDescType:$b, TT_Tensor:$c,
    Optional<I1>:$useC,
    DefaultValuedAttr<TT_InputPrecision,
                      "::tilewright::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
    DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_IssuesGroup<"Products", "getIsAsync()">.decl;
}

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Wait until at most `pendings` products are still under way";
  let description = [{
    The results are the inputs: products, and the memory that products read until then.
  }];
  let arguments = (ins Variadic<TTNG_TensorOrMemDesc>:$inputs, I32Attr:$pendings,
                       UnitAttr:$warpGroupLocal);
  let results = (outs Variadic<TTNG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Waits<"Products", "getPendings()">.decl;
}

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [Pure]> {
  let summary = "Arithmetic on pairs of numbers, as one instruction each";
  let arguments = (ins TTNG_PackedArithKind:$op_kind, Variadic<TT_FloatTensor>:$operands);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = [{
    $op_kind $operands attr-dict `:` functional-type($operands, $result)
  }];
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Products in tensor memory (Blackwell)
//===--------------------------------------------------------------------------===//

class TTNG_Gen5Op<string mnemonic> : TTNG_Op<mnemonic, [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(TTG_Issues<"Barriers">.decl, [{
    /// Telling a barrier is one step for all that others do to it.
    void getViewAccesses(::llvm::SmallVectorImpl<::tilewright::ttg::ViewAccess> &accesses) {
      ::tilewright::ttng::getViewAccesses(getOperation(), getBarriers(), accesses);
    }
  }]);
}

def TTNG_TCGen5MMAOp : TTNG_Gen5Op<"tc_gen5_mma"> {
  let summary = "d += a @ b in tensor memory";
  let description = [{
    Without `useD` d is overwritten. When the product is done each of `barriers` is told whose
    predicate holds. Tokens order the accesses of d.
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d,
    Optional<TTG_AsyncToken>:$acc_dep, I1:$useD, I1:$pred, Variadic<TTG_MemDescType>:$barriers,
    Variadic<I1>:$barrier_preds, UnitAttr:$is_async, UnitAttr:$two_ctas, UnitAttr:$multicast);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,` $pred ``
    custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d))
    (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5MMAScaledOp : TTNG_Gen5Op<"tc_gen5_mma_scaled"> {
  let summary = "d += (a * a_scale) @ (b * b_scale) in tensor memory";
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d,
    Optional<TTG_AsyncToken>:$acc_dep, TTG_MemDescType:$a_scale, TTG_MemDescType:$b_scale,
    TT_ScaleDotElemType:$a_type, TT_ScaleDotElemType:$b_type, I1:$useD, I1:$pred,
    Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$is_async,
    UnitAttr:$two_ctas, UnitAttr:$multicast);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,` $b_scale `,`
    $useD `,` $pred `lhs` `=` $a_type `rhs` `=` $b_type ``
    custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,`
    qualified(type($a_scale)) `,` qualified(type($b_scale)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit", [AttrSizedOperandSegments]> {
  let summary = "Tell a barrier when all products so far are done";
  let arguments = (ins TTNG_Changes<>:$barrier, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$descs, UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $barrier (`,` $pred^)? (`descs` $descs^)? attr-dict
    `:` qualified(type($barrier)) (`,` qualified(type($descs))^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = TTG_Commits<"Barriers">.decl # TTNG_TellsBarrier<"Barrier">.decl;
}

#endif // TILEWRIGHT_IR_TTNG_DOTOPS
