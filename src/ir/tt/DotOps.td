//===- DotOps.td - Products of matrices -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_DOTOPS
#define TILEWRIGHT_IR_TT_DOTOPS

include "ir/tt/OpBase.td"

def TT_DotOp : TT_Op<"dot", [Pure,
    TypesMatchWith<"the accumulator has the result's type", "d", "c", "$_self">]> {
  let summary = "a @ b + c";
  let description = [{
    Matrices, or batches of matrices along dimension 0. `inputPrecision` says how products of
    f32 may be made on matrix units; `maxNumImpreciseAcc` how many products of 8-bit floats may
    be summed with less than the accumulator's precision.
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
    DefaultValuedAttr<TT_InputPrecision,
                      "::tilewright::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the accumulator has the result's type", "d", "c", "$_self">]> {
  let summary = "(a * a_scale) @ (b * b_scale) + c, with a scale for each 32 elements";
  let description = [{
    Microscaling (OCP MX 1.0): the scales are exponents, e8m0, along the summed dimension.
    e2m1 elements come two in a byte, the lower one first, along the summed dimension or, with
    `lhs_k_pack` or `rhs_k_pack` false, along the other.
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c, Optional<TT_Tensor>:$a_scale,
    Optional<TT_Tensor>:$b_scale, TT_ScaleDotElemType:$a_elem_type,
    TT_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict `:`
    type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_TT_DOTOPS
