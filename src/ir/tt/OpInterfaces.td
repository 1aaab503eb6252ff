//===- OpInterfaces.td - How an op's layouts relate ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_OPINTERFACES
#define TILEWRIGHT_IR_TT_OPINTERFACES

include "mlir/IR/OpBase.td"

def TT_LayoutOp : OpInterface<"LayoutOp"> {
  let cppNamespace = "::tilewright::tt";
  let description = [{
    How the layouts of an op's tensors relate to one another. The layout solver
    (`tritongpu-remove-layout-conversions`) knows an op by these answers alone; an op without
    them is an anchor, which is always right. Ask through `tt::getLayoutRule(op)`.

    An op of SameLayout needs to say nothing: an op that is `Elementwise` or `SameEncoding` and
    has no effects is one by default, any other op is an anchor. An op of another rule says
    which:

    ```
    def TT_SplatOp : TT_Op<"splat", [Pure]> {
      let extraClassDeclaration = TT_LayoutRule<"AnyResult">.decl;
    def TT_TransOp : TT_Op<"trans", [Pure]> {     // with the two functions in LayoutRules.cpp
      let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
    ```
  }];
  let methods = [
    InterfaceMethod<"The rule: see LayoutRule in ir/tt/LayoutOp.h.",
      "::tilewright::tt::LayoutRule", "getLayoutRule", (ins), "",
      [{ return ::tilewright::tt::detail::getDefaultLayoutRule($_op); }]>,
    InterfaceMethod<[{
      The layout of the tensor results where the tensor operands have layout `operand`; null if
      that does not determine it. For SameLayout, Inferred and Collective.
    }], "::mlir::Attribute", "inferResultLayout", (ins "::mlir::Attribute":$operand), "",
      [{ return operand; }]>,
    InterfaceMethod<[{
      The layout that the tensor operands need for results in layout `result`; null if there is
      none. For SameLayout, Inferred and Collective.
    }], "::mlir::Attribute", "inferOperandLayout", (ins "::mlir::Attribute":$result), "",
      [{ return result; }]>,
    InterfaceMethod<[{
      About how many instructions a thread spends on one element of the result; 0 where the
      elements are at hand. For SameLayout and AnyResult: what it costs to do the op again in
      another layout.
    }], "unsigned", "getInstructionsPerElement", (ins), "", [{ return 1; }]>
  ];
}

/// For `extraClassDeclaration`: the op's rule, one of tt::LayoutRule.
class TT_LayoutRule<string rule> {
  string decl = "::tilewright::tt::LayoutRule getLayoutRule() {\n"
                # "  return ::tilewright::tt::LayoutRule::" # rule # ";\n}\n";
}

/// For `extraClassDeclaration`: the op's own inference.
class TT_LayoutInference {
  string decl = "::mlir::Attribute inferResultLayout(::mlir::Attribute operand);\n"
                # "::mlir::Attribute inferOperandLayout(::mlir::Attribute result);\n";
}

/// For `extraClassDeclaration`: the op's rule, Inferred or Collective, and its own inference.
class TT_InferredLayout<string rule> {
  string decl = TT_LayoutRule<rule>.decl # TT_LayoutInference<>.decl;
}

/// For `extraClassDeclaration`: LayoutOp::getInstructionsPerElement.
class TT_InstructionsPerElement<int count> {
  string decl = "unsigned getInstructionsPerElement() { return " # count # "; }\n";
}

#endif // TILEWRIGHT_IR_TT_OPINTERFACES
