//===- FunctionLayouts.h - The layout problem of a function ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The LayoutProblem of a function, and what its numbers stand for. The function is looked at as if
// it had no conversions: a converted tensor is the tensor.
//
// One variable stands for all that must have the same versions: a value and its conversions; what
// a loop carries, that is the initial value, the argument, what is yielded and the result; the
// results of one op. Its value, the *key*, is the value before conversions, the loop's argument,
// the first result.
//
// Ops say themselves whether they are anchors, and how their layouts relate (tt::LayoutOp); the
// flow between regions comes from MLIR's RegionBranchOpInterface and LoopLikeOpInterface
// (analysis/RegionFlow.h). A region that neither passes values into, such as a partition of
// ttg.warp_specialize, has arguments that keep their layouts.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FUNCTIONLAYOUTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FUNCTIONLAYOUTS_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"
#include "transform/layout/candidates/LayoutProvider.h"
#include "transform/layout/problem/LayoutCost.h"
#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

class FunctionLayouts final : private LayoutFacts {
public:
  /// `function` and its ops stay as they are while the problem is in use. What `providers` propose
  /// are alternatives.
  explicit FunctionLayouts(tt::FuncOp function,
                           llvm::ArrayRef<std::unique_ptr<LayoutProvider>> providers = {});

  LayoutProblem problem;

  mlir::Attribute layoutOf(LayoutId layout) const { return layouts[layout]; }
  /// The number of a layout that the problem has come across.
  std::optional<LayoutId> findLayout(mlir::Attribute layout) const;
  /// The variable of a tensor; nothing of other values.
  std::optional<VariableId> variableOf(mlir::Value value) const;
  /// The number of an op among the users; nothing if it is none.
  std::optional<size_t> userOf(mlir::Operation *op) const;

private:
  // Variables in the order of the program.
  void number(mlir::Region &region);
  void number(mlir::Operation *op, Cost frequency);
  void numberLoop(mlir::Operation *op);
  VariableId addVariable(mlir::Value key, Cost frequency);
  /// What variables are computed from, and where their results go.
  void connect();
  void addUsers(tt::FuncOp function);
  void addUser(mlir::Operation *op, tt::LayoutRule rule);
  llvm::SmallVector<LayoutSink, 1> findSinks(mlir::Operation *op);
  void addAlternatives(mlir::Operation *op, llvm::ArrayRef<LayoutProposal> proposals);

  LayoutId idOf(mlir::Attribute layout);
  FormId formOf(mlir::RankedTensorType type);
  mlir::RankedTensorType typeOf(FormId form, LayoutId layout) const;

  LayoutId resultLayout(VariableId variable, LayoutId operands) override;
  LayoutId operandLayout(VariableId variable, LayoutId result) override;
  Cost registers(FormId form, LayoutId layout) override;
  Cost spill(FormId form, LayoutId layout) override;
  Cost conversion(FormId form, LayoutId from, LayoutId to) override;
  Cost combination(VariableId variable, LayoutId operands) override;
  std::string describeLayout(LayoutId layout) override;
  std::string describeForm(FormId form) override;
  std::string describeVariable(VariableId variable) override;

  plan::PlanCache &plans;
  SpillModel spills;
  std::vector<mlir::Value> keys;
  std::vector<mlir::Attribute> layouts;
  /// Types without layouts.
  std::vector<mlir::RankedTensorType> forms;
  llvm::DenseMap<mlir::Value, VariableId> variableIds;
  llvm::DenseMap<mlir::Attribute, LayoutId> layoutIds;
  llvm::DenseMap<mlir::Type, FormId> formIds;
  llvm::DenseMap<mlir::Operation *, size_t> userIds;
};

/// A solution of the problem of a function, asked by its values and ops.
class LayoutChoice {
public:
  LayoutChoice(const FunctionLayouts &layouts, const LayoutSolution &solution)
      : layouts(layouts), solution(solution) {}

  /// The layouts in which a tensor is computed; none if it is not needed.
  llvm::SmallVector<mlir::Attribute, 1> versions(mlir::Value value) const;

  /// The version from which the value is converted to `layout`, which is none of its versions.
  mlir::Attribute conversionSource(mlir::Value value, mlir::Attribute layout) const;

  /// The layout that operand `number` of the op needs for results in layout `result`; null for
  /// scalars. For ops without tensor results, `result` is null.
  mlir::Attribute operandLayout(mlir::Operation *op, unsigned number, mlir::Attribute result) const;

private:
  const FunctionLayouts &layouts;
  const LayoutSolution &solution;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FUNCTIONLAYOUTS_H
