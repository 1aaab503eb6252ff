//===- OpInterfaces.td - Layouts of ops, and programs -------------------------===//
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

def TT_ProgramScope : OpInterface<"ProgramScope"> {
  let cppNamespace = "::tilewright::tt";
  let description = [{
    An op whose region is the code of a program, and that knows which program of the launch this
    is. A function is one: its program is at the block's place in the grid. An op whose region runs
    for several programs in turn answers with the one whose turn it is. Ask through
    `tt::createProgramId` and `tt::createNumPrograms` (ir/tt/ProgramScope.h).
  }];
  let methods = [
    InterfaceMethod<"The program's place in the grid along axis 0, 1 or 2, i32.",
      "::mlir::Value", "createProgramId",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "unsigned":$axis), "",
      [{ return ::tilewright::tt::detail::createGridPlace(builder, loc, axis); }]>,
    InterfaceMethod<"The programs of the grid along axis 0, 1 or 2, i32.",
      "::mlir::Value", "createNumPrograms",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "unsigned":$axis), "",
      [{ return ::tilewright::tt::detail::createGridSize(builder, loc, axis); }]>
  ];
}

#endif // TILEWRIGHT_IR_TT_OPINTERFACES
