//===- LayoutProblem.h - Which layouts to compute values in ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function's choice of layouts, as data. A *variable* stands for a tensor of the program: in
// which layouts is it computed? Each of these is a *version*. Where a user wants another layout,
// one of the versions is *converted*. An example, in the text of LayoutText.h:
//
//     variable 0: Anchor of form 0 in 0                      // tt.load
//     variable 1: SameLayout(0, 0) of form 0 in 0 takes 1    // arith.addf
//     user 0: Anchor(1 in 1)                                 // tt.store
//
// The load gives layout 0 and the store wants layout 1: either what is loaded is converted and the
// sum computed in layout 1, or the sum is computed in layout 0 and converted.
//
// Conversions are looked through: a converted tensor is the variable of what is converted. Values
// that must have the same versions are one variable (FunctionLayouts.h).
//
// An op that keeps its layouts, as the load and the store, may have *alternatives*: other layouts
// in which it could be, each with what the op then costs. A solution takes one of them.
//
//     alternative of 0: gives 0 costs 40                     // user 0, the load, as it is
//     alternative of 0: gives 1 costs 64                     // the load in the store's layout
//
// The costs are cycles for which one warp keeps its part of the machine busy, in all executions of
// the op for one execution of the function.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTPROBLEM_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTPROBLEM_H

#include "ir/tt/LayoutOp.h"
#include "tilewright/support/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace tilewright::transform {

using Cost = int64_t;
/// More than anything that can be done costs; sums of a few of them do not overflow.
inline constexpr Cost impossible = Cost(1) << 50;

/// These count from 0. A form is a shape and an element type: what conversions depend on beside the
/// layouts.
using LayoutId = uint32_t;
using VariableId = uint32_t;
using FormId = uint32_t;
inline constexpr LayoutId noLayout = ~LayoutId(0);

/// A variable whose versions cost something is not computed in more layouts than this.
inline constexpr size_t maxVersions = 4;

/// A use of a result right in an anchor.
struct LayoutSink {
  LayoutId layout;
  Cost frequency;
  bool operator==(const LayoutSink &) const = default;
};

struct LayoutVariable {
  /// Anchor: it is in layout `original` and stays there, unless the user that gives it takes
  /// another alternative. AnyResult, SameLayout, Inferred and Collective: it is computed from the
  /// operands. Forwards: it is one of the operands, depending on the way by which it is reached.
  tt::LayoutRule rule = tt::LayoutRule::Anchor;
  llvm::SmallVector<VariableId, 3> operands;
  FormId form = 0;
  /// The layout that it has in the program as it is, which is always possible.
  LayoutId original = noLayout;
  /// Instructions for each element of the result.
  unsigned instructions = 0;
  /// Executions of the op for each of the function.
  Cost frequency = 1;
  /// Of Forwards: a loop carries it; the last operand is what the loop yields.
  bool isCarried = false;
  /// It comes through shared memory, from which threads read it in any layout: conversions cost
  /// nothing.
  bool isStaged = false;
  llvm::SmallVector<LayoutSink, 1> sinks;

  bool isFixed() const { return rule == tt::LayoutRule::Anchor; }
  bool operator==(const LayoutVariable &) const = default;
};

/// Layouts in which an op that keeps its layouts could be.
struct LayoutAlternative {
  /// One for each operand, and one for each result, of the user.
  llvm::SmallVector<LayoutId, 3> operands;
  llvm::SmallVector<LayoutId, 1> results;
  /// All executions of the op in these layouts.
  Cost cost = 0;
  /// Words for people, of one line.
  std::string why;

  bool operator==(const LayoutAlternative &) const = default;
};

/// An op that is no variable itself but has operands.
struct LayoutUser {
  /// Anchor: each operand in the layout of `layouts`. AnyLayout: all operands in one layout.
  /// AnyLayouts: each operand in any.
  tt::LayoutRule rule = tt::LayoutRule::Anchor;
  llvm::SmallVector<VariableId, 3> operands;
  llvm::SmallVector<LayoutId, 3> layouts;
  /// Fixed variables that the op gives.
  llvm::SmallVector<VariableId, 1> results;
  /// The layouts that an Anchor may be in. The first are `layouts` and the originals of the
  /// results; none: these are the only ones, and nobody asks what the op costs.
  std::vector<LayoutAlternative> alternatives;

  bool operator==(const LayoutUser &) const = default;
};

/// A loop around the variables [begin, end), of which it carries some. The next `nested` loops are
/// those inside of it.
struct LayoutLoop {
  VariableId begin = 0, end = 0;
  unsigned nested = 0;
  llvm::SmallVector<VariableId> carried;

  bool operator==(const LayoutLoop &) const = default;
};

/// The facts that depend on layouts themselves.
class LayoutFacts {
public:
  virtual ~LayoutFacts() = default;
  /// The layout of the results where all operands are in `operands`; noLayout where that does not
  /// determine it. For rules that tie layouts.
  virtual LayoutId resultLayout(VariableId variable, LayoutId operands) = 0;
  /// The layout of the operands for results in `result`; noLayout where there is none.
  virtual LayoutId operandLayout(VariableId variable, LayoutId result) = 0;
  /// Elements that a thread holds of a tensor, each counted once.
  virtual Cost registers(FormId form, LayoutId layout) = 0;
  /// Moving what a tensor has beyond the registers of a thread out of them and back, once.
  virtual Cost spill(FormId form, LayoutId layout) = 0;
  /// Converting a tensor once.
  virtual Cost conversion(FormId form, LayoutId from, LayoutId to) = 0;
  /// Combining the operands of a collective variable across threads once.
  virtual Cost combination(VariableId variable, LayoutId operands) = 0;
  /// Words for people, of one line.
  virtual std::string describeLayout(LayoutId layout) = 0;
  virtual std::string describeForm(FormId form) = 0;
  virtual std::string describeVariable(VariableId variable) = 0;
};

/// The layouts of a solution.
struct LayoutSolution {
  struct Version {
    LayoutId layout;
    /// The layout of the operands; noLayout without any.
    LayoutId operands = noLayout;
    bool operator==(const Version &) const = default;
  };
  /// For each variable; none where it is not needed.
  std::vector<llvm::SmallVector<Version, 1>> versions;
  /// For a variable and a layout that is none of its versions: that of the version which is
  /// converted.
  llvm::DenseMap<std::pair<VariableId, LayoutId>, LayoutId> conversions;
  /// For each user the layouts of its operands.
  std::vector<llvm::SmallVector<LayoutId, 3>> uses;
  /// The alternatives of users that are not the first.
  llvm::DenseMap<size_t, unsigned> alternatives;

  bool hasVersion(VariableId variable, LayoutId layout) const;
  bool isAvailable(VariableId variable, LayoutId layout) const {
    return hasVersion(variable, layout) || conversions.contains({variable, layout});
  }
};

/// The costs of a solution.
struct LayoutCosts {
  Cost computing = 0, combining = 0, converting = 0, carrying = 0;
  /// Users in their alternatives.
  Cost executing = 0;
  /// Registers that threads do not have.
  Cost spilling = 0;
  Cost total() const {
    return computing + combining + converting + carrying + executing + spilling;
  }
};

class LayoutProblem {
public:
  /// `facts` are asked once for each thing.
  explicit LayoutProblem(LayoutFacts &facts) : facts(facts) {}
  LayoutProblem(const LayoutProblem &) = delete;
  LayoutProblem &operator=(const LayoutProblem &) = delete;

  /// In the order of the program; what a loop carries comes before the loop's body.
  std::vector<LayoutVariable> variables;
  /// Each before those inside of it.
  std::vector<LayoutLoop> loops;
  std::vector<LayoutUser> users;
  /// Variables that are computed even if nobody wants them.
  std::vector<VariableId> kept;

  LayoutId resultLayout(VariableId variable, LayoutId operands);
  LayoutId operandLayout(VariableId variable, LayoutId result);
  /// Whether the variable can be computed in `result` from operands in `operands`. For fixed
  /// variables: whether an alternative of the user that gives it has it in `result`.
  bool isWay(VariableId variable, LayoutId result, LayoutId operands);

  Cost computeCost(VariableId variable, LayoutId layout);
  Cost convertCost(VariableId variable, LayoutId from, LayoutId to);
  Cost combineCost(VariableId variable, LayoutId operands);
  /// The cost for a loop to carry a version: its registers, once for each iteration.
  Cost carryCost(VariableId variable, LayoutId layout);
  /// The cost of a version for which threads have too few registers: for tensors that are there as
  /// a whole, which are those that a loop carries, results of ops that keep their layouts, and
  /// reductions and scans. Others are computed element by element where they are wanted.
  Cost spillCost(VariableId variable, LayoutId layout);
  /// The conversion of a result of `variable` that goes from `from` to `sink`.
  Cost sinkCost(VariableId variable, LayoutId from, const LayoutSink &sink);

  /// Whether the variable is there in any layout for nothing: a constant, a splat.
  bool isFree(VariableId variable) const {
    const LayoutVariable &of = variables[variable];
    return of.rule == tt::LayoutRule::AnyResult && of.instructions == 0 && !of.isCarried;
  }
  /// The versions that a variable may have: results of a collective op are computed once, and those
  /// of an op that keeps its layouts are there once. What is there for nothing may have any number.
  size_t mostVersions(VariableId variable) const {
    const tt::LayoutRule rule = variables[variable].rule;
    if (rule == tt::LayoutRule::Collective || rule == tt::LayoutRule::Anchor)
      return 1;
    return isFree(variable) ? std::numeric_limits<unsigned>::max() : maxVersions;
  }

  /// Whether the solution computes all that is wanted, in ways and by conversions that there are.
  /// The error says what is missing.
  Result<void> verify(const LayoutSolution &solution);
  /// The costs of a solution that is right.
  LayoutCosts costOf(const LayoutSolution &solution);

  LayoutFacts &facts;

private:
  Result<void> verifyUser(const LayoutSolution &solution, size_t user);
  Result<void> verifyVersions(const LayoutSolution &solution, VariableId variable);
  Result<void> verifyConversions(const LayoutSolution &solution);
  Cost conversion(FormId form, LayoutId from, LayoutId to);

  using VariableLayout = std::pair<VariableId, LayoutId>;
  friend class LayoutPrinter;
  llvm::DenseMap<VariableLayout, LayoutId> resultLayouts, operandLayouts;
  llvm::DenseMap<VariableLayout, Cost> combinations;
  llvm::DenseMap<std::pair<FormId, LayoutId>, Cost> registerCounts, spills;
  llvm::DenseMap<std::tuple<FormId, LayoutId, LayoutId>, Cost> conversions;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTPROBLEM_H
