//===- LayoutProblem.cpp - Which layouts to compute values in -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/LayoutProblem.h"

#include "llvm/ADT/STLExtras.h"

namespace tilewright::transform {

using tt::LayoutRule;

bool LayoutSolution::hasVersion(VariableId variable, LayoutId layout) const {
  return llvm::any_of(versions[variable],
                      [&](const Version &version) { return version.layout == layout; });
}

/// The value in `memo` for `key`, which is asked for if it is not there yet.
template <typename Memo, typename Key, typename Ask>
static auto remember(Memo &memo, const Key &key, Ask ask) {
  if (auto found = memo.find(key); found != memo.end())
    return found->second;
  auto value = ask();
  memo.try_emplace(key, value);
  return value;
}

LayoutId LayoutProblem::resultLayout(VariableId variable, LayoutId operands) {
  if (variables[variable].rule == LayoutRule::SameLayout)
    return operands;
  return remember(resultLayouts, VariableLayout(variable, operands),
                  [&] { return facts.resultLayout(variable, operands); });
}

LayoutId LayoutProblem::operandLayout(VariableId variable, LayoutId result) {
  if (variables[variable].rule == LayoutRule::SameLayout)
    return result;
  return remember(operandLayouts, VariableLayout(variable, result),
                  [&] { return facts.operandLayout(variable, result); });
}

/// Whether an alternative of `user` gives `variable` in `layout`.
static bool mayGive(const LayoutUser &user, VariableId variable, LayoutId layout) {
  return llvm::any_of(user.alternatives, [&](const LayoutAlternative &alternative) {
    return llvm::any_of(llvm::zip_equal(user.results, alternative.results),
                        [&](auto given) { return given == std::tuple(variable, layout); });
  });
}

bool LayoutProblem::isWay(VariableId variable, LayoutId result, LayoutId operands) {
  switch (variables[variable].rule) {
  case LayoutRule::Anchor:
    return result == variables[variable].original ||
           llvm::any_of(users,
                        [&](const LayoutUser &user) { return mayGive(user, variable, result); });
  case LayoutRule::AnyResult:
    return true;
  case LayoutRule::Forwards:
    return operands == result;
  default:
    return operands != noLayout && (operandLayout(variable, result) == operands ||
                                    resultLayout(variable, operands) == result);
  }
}

Cost LayoutProblem::conversion(FormId form, LayoutId from, LayoutId to) {
  if (from == to)
    return 0;
  return remember(conversions, std::tuple(form, from, to),
                  [&] { return facts.conversion(form, from, to); });
}

Cost LayoutProblem::computeCost(VariableId variable, LayoutId layout) {
  const LayoutVariable &of = variables[variable];
  if (of.instructions == 0)
    return 0;
  return of.instructions * of.frequency * remember(registerCounts, std::pair(of.form, layout), [&] {
           return facts.registers(of.form, layout);
         });
}

Cost LayoutProblem::convertCost(VariableId variable, LayoutId from, LayoutId to) {
  const LayoutVariable &of = variables[variable];
  return of.isStaged ? 0 : conversion(of.form, from, to) * of.frequency;
}

Cost LayoutProblem::combineCost(VariableId variable, LayoutId operands) {
  const LayoutVariable &of = variables[variable];
  if (of.rule != LayoutRule::Collective)
    return 0;
  return of.frequency * remember(combinations, VariableLayout(variable, operands),
                                 [&] { return facts.combination(variable, operands); });
}

Cost LayoutProblem::carryCost(VariableId variable, LayoutId layout) {
  const LayoutVariable &of = variables[variable];
  if (!of.isCarried)
    return 0;
  return of.frequency * remember(registerCounts, std::pair(of.form, layout),
                                 [&] { return facts.registers(of.form, layout); });
}

Cost LayoutProblem::spillCost(VariableId variable, LayoutId layout) {
  const LayoutVariable &of = variables[variable];
  if (!of.isCarried && of.rule != LayoutRule::Anchor && of.rule != LayoutRule::Collective)
    return 0;
  return of.frequency *
         remember(spills, std::pair(of.form, layout), [&] { return facts.spill(of.form, layout); });
}

Cost LayoutProblem::sinkCost(VariableId variable, LayoutId from, const LayoutSink &sink) {
  return conversion(variables[variable].form, from, sink.layout) * sink.frequency;
}

//===--------------------------------------------------------------------------===//
// Solutions
//===--------------------------------------------------------------------------===//

static Failure fail(const char *what, size_t number, const std::string &why) {
  return Failure(std::string(what) + " " + std::to_string(number) + " " + why);
}

Result<void> LayoutProblem::verifyUser(const LayoutSolution &solution, size_t number) {
  const LayoutUser &user = users[number];
  llvm::ArrayRef<LayoutId> layouts = solution.uses[number];
  if (layouts.size() != user.operands.size())
    return fail("user", number, "has no layout for each operand");
  const auto taken = solution.alternatives.find(number);
  const bool isFirst = taken == solution.alternatives.end();
  if (!isFirst && taken->second >= user.alternatives.size())
    return fail("user", number, "takes an alternative that it does not have");
  const LayoutAlternative *other = isFirst ? nullptr : &user.alternatives[taken->second];
  if (user.rule == LayoutRule::Anchor &&
      !llvm::equal(layouts, llvm::ArrayRef(isFirst ? user.layouts : other->operands)))
    return fail("user", number, "gets other layouts than it has");
  if (user.rule == LayoutRule::AnyLayout && !llvm::all_equal(layouts))
    return fail("user", number, "gets operands in several layouts");
  for (auto [operand, layout] : llvm::zip_equal(user.operands, layouts))
    if (!solution.isAvailable(operand, layout))
      return fail("user", number,
                  "gets variable " + std::to_string(operand) + " in layout " +
                      std::to_string(layout) + ", which is not there");
  for (auto [place, result] : llvm::enumerate(user.results))
    if (!solution.hasVersion(result, isFirst ? variables[result].original : other->results[place]))
      return fail("user", number, "gives a result that is not there");
  return {};
}

Result<void> LayoutProblem::verifyVersions(const LayoutSolution &solution, VariableId variable) {
  llvm::ArrayRef<LayoutSolution::Version> versions = solution.versions[variable];
  if (versions.size() > mostVersions(variable))
    return fail("variable", variable, "has too many versions");
  for (auto [place, version] : llvm::enumerate(versions)) {
    const std::string layout = " layout " + std::to_string(version.layout);
    for (const LayoutSolution::Version &other : versions.take_front(place))
      if (other.layout == version.layout)
        return fail("variable", variable, "has two versions in" + layout);
    if (!isWay(variable, version.layout, version.operands))
      return fail("variable", variable, "cannot be computed in" + layout);
    for (VariableId operand : variables[variable].operands)
      if (!solution.isAvailable(operand, version.operands))
        return fail("variable", variable,
                    "in" + layout + " needs variable " + std::to_string(operand) + " in layout " +
                        std::to_string(version.operands) + ", which is not there");
  }
  return {};
}

Result<void> LayoutProblem::verifyConversions(const LayoutSolution &solution) {
  for (const auto &[wanted, source] : solution.conversions) {
    const auto [variable, layout] = wanted;
    if (solution.hasVersion(variable, layout))
      return fail("variable", variable, "is converted to the layout of a version");
    if (!solution.hasVersion(variable, source))
      return fail("variable", variable, "is converted from what is no version");
    if (convertCost(variable, source, layout) >= impossible)
      return fail("variable", variable, "cannot be converted so");
  }
  return {};
}

Result<void> LayoutProblem::verify(const LayoutSolution &solution) {
  if (solution.versions.size() != variables.size() || solution.uses.size() != users.size())
    return Failure("the solution is not one of this problem");
  for (VariableId variable = 0; variable < variables.size(); ++variable)
    if (Result<void> right = verifyVersions(solution, variable); !right)
      return right;
  for (size_t user = 0; user < users.size(); ++user)
    if (Result<void> right = verifyUser(solution, user); !right)
      return right;
  for (VariableId variable : kept)
    if (solution.versions[variable].empty())
      return fail("variable", variable, "is kept, but has no version");
  return verifyConversions(solution);
}

LayoutCosts LayoutProblem::costOf(const LayoutSolution &solution) {
  LayoutCosts costs;
  for (VariableId variable = 0; variable < variables.size(); ++variable)
    for (const LayoutSolution::Version &version : solution.versions[variable]) {
      costs.computing += computeCost(variable, version.layout);
      costs.combining += combineCost(variable, version.operands);
      costs.carrying += carryCost(variable, version.layout);
      costs.spilling += spillCost(variable, version.layout);
    }
  for (const auto &[wanted, source] : solution.conversions)
    costs.converting += convertCost(wanted.first, source, wanted.second);
  for (auto [number, user] : llvm::enumerate(users))
    if (!user.alternatives.empty())
      costs.executing += user.alternatives[solution.alternatives.lookup(number)].cost;
  return costs;
}

} // namespace tilewright::transform
