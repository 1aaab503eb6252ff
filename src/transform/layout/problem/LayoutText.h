//===- LayoutText.h - Layout problems as text -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A LayoutProblem with all facts that have been asked of it, one a line, and a solution. A product
// of a loop and its store, for instance:
//
//     layout 0: #blocked
//     layout 1: #mma
//     form 0: 64x64xf32
//     variable 0: AnyResult of form 0 in 0                   // arith.constant
//     variable 1: Forwards(0, 2) of form 0 in 0 x 8 carried  // argument of scf.for
//     variable 2: Anchor of form 0 in 1 x 8                  // tt.dot
//     loop 1 to 3 nests 0 carries 1
//     user 0: Anchor(1 in 1) gives 2
//     user 1: Anchor(1 in 0)
//     alternative of 1: 0 costs 512
//     alternative of 1: 1 costs 768                          // as its operand
//     kept: 1
//     convert form 0: 0 -> 1 costs 80
//     convert form 0: 1 -> 0 costs 64
//
// An alternative has the layouts of the user's operands, those of its results after `gives`, and
// what the user costs in them. Facts of other kinds:
//
//     results of 3: 0 -> 2        operands in layout 0 give results in 2; `none` if nothing follows
//     operands of 3: 2 -> 0
//     registers of form 0: 1 holds 32
//     spill form 0: 1 costs 640   no line: nothing
//     combine 4: 1 costs 120      operands of the collective variable 4 in layout 1
//
// And a solution:
//
//     versions of 1: 1 from 1     each layout, and that of the operands
//     converted 1: 1 -> 0
//     user 1 takes 1
//     user 1 is alternative 1
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTTEXT_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTTEXT_H

#include "transform/layout/problem/LayoutProblem.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace tilewright::transform {

/// The words of a text for the rules of ops.
inline constexpr std::pair<tt::LayoutRule, llvm::StringLiteral> layoutRuleNames[] = {
    {tt::LayoutRule::AnyResult, "AnyResult"},   {tt::LayoutRule::SameLayout, "SameLayout"},
    {tt::LayoutRule::Inferred, "Inferred"},     {tt::LayoutRule::Collective, "Collective"},
    {tt::LayoutRule::AnyLayout, "AnyLayout"},   {tt::LayoutRule::AnyLayouts, "AnyLayouts"},
    {tt::LayoutRule::Conversion, "Conversion"}, {tt::LayoutRule::Forwards, "Forwards"},
    {tt::LayoutRule::Anchor, "Anchor"},
};

std::string printLayoutProblem(const LayoutProblem &problem);
/// Without what is empty.
std::string printLayoutSolution(const LayoutSolution &solution);

/// A problem whose facts are those of a text. What is not said is not possible: no layout follows,
/// and conversions cost `impossible`; registers are 1, combinations and spills cost nothing.
class LayoutTables final : private LayoutFacts {
public:
  LayoutTables() : problem(*this) {}

  /// The problem of `text`. The error names the line.
  static Result<std::unique_ptr<LayoutTables>> read(llvm::StringRef text);

  LayoutProblem problem;

  // By the numbers of the text.
  std::vector<std::string> layouts, forms, names;
  llvm::DenseMap<std::pair<VariableId, LayoutId>, LayoutId> results, operands;
  llvm::DenseMap<std::pair<VariableId, LayoutId>, Cost> combinations;
  llvm::DenseMap<std::pair<FormId, LayoutId>, Cost> registerCounts, spills;
  llvm::DenseMap<std::tuple<FormId, LayoutId, LayoutId>, Cost> conversions;

private:
  LayoutId resultLayout(VariableId variable, LayoutId from) override;
  LayoutId operandLayout(VariableId variable, LayoutId result) override;
  Cost registers(FormId form, LayoutId layout) override;
  Cost spill(FormId form, LayoutId layout) override { return spills.lookup({form, layout}); }
  Cost conversion(FormId form, LayoutId from, LayoutId to) override;
  Cost combination(VariableId variable, LayoutId from) override;
  std::string describeLayout(LayoutId layout) override { return layouts[layout]; }
  std::string describeForm(FormId form) override { return forms[form]; }
  std::string describeVariable(VariableId variable) override { return names[variable]; }
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTTEXT_H
