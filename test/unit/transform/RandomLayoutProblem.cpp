//===- RandomLayoutProblem.cpp - Small layout problems ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RandomLayoutProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::transform;
using tt::LayoutRule;

namespace {

using test::ProblemSizes;

class Maker {
public:
  Maker(std::mt19937 &random, const ProblemSizes &sizes)
      : random(random), sizes(sizes), tables(std::make_unique<LayoutTables>()),
        problem(tables->problem) {}

  std::unique_ptr<LayoutTables> make() {
    for (LayoutId layout = 0; layout < sizes.layouts; ++layout)
      tables->layouts.push_back("#layout" + std::to_string(layout));
    tables->forms = {"small", "large"};
    for (VariableId variable = 0; variable < sizes.variables; ++variable)
      addVariable(variable);
    if (sizes.variables > 3 && upTo(1))
      addLoop();
    for (VariableId variable = 0; variable < sizes.variables; ++variable)
      if (const LayoutRule rule = problem.variables[variable].rule;
          rule == LayoutRule::Inferred || rule == LayoutRule::Collective)
        addWays(variable);
    for (unsigned user = 0; user < sizes.users; ++user)
      addUser();
    for (const LayoutVariable &variable : problem.variables)
      if (variable.isFixed())
        problem.users.push_back(
            {LayoutRule::Anchor, {}, {}, {VariableId(&variable - problem.variables.data())}, {}});
    if (sizes.alternatives)
      for (LayoutUser &user : problem.users)
        if (user.rule == LayoutRule::Anchor)
          addAlternatives(user);
    addCosts();
    return std::move(tables);
  }

private:
  unsigned upTo(unsigned most) { return std::uniform_int_distribution<unsigned>(0, most)(random); }
  LayoutId anyLayout() { return upTo(sizes.layouts - 1); }
  VariableId anyVariable() { return upTo(sizes.variables - 1); }

  void addVariable(VariableId number) {
    static constexpr LayoutRule rules[] = {LayoutRule::AnyResult,  LayoutRule::SameLayout,
                                           LayoutRule::SameLayout, LayoutRule::Inferred,
                                           LayoutRule::Collective, LayoutRule::Forwards};
    tables->names.emplace_back();
    LayoutVariable &variable = problem.variables.emplace_back();
    variable.rule = number < 2 ? LayoutRule::Anchor : rules[upTo(5)];
    variable.form = upTo(1);
    variable.original = anyLayout();
    variable.frequency = upTo(1) ? 8 : 1;
    if (variable.isFixed()) {
      variable.isStaged = upTo(5) == 0;
      return;
    }
    if (variable.rule == LayoutRule::AnyResult || variable.rule == LayoutRule::SameLayout)
      variable.instructions = upTo(3);
    if (variable.rule == LayoutRule::AnyResult)
      return;
    const unsigned operands = 1 + upTo(1);
    for (unsigned i = 0; i < operands; ++i)
      variable.operands.push_back(upTo(number - 1));
    if (tt::tiesLayouts(variable.rule) && upTo(2) == 0)
      variable.sinks.push_back({anyLayout(), 1});
  }

  /// Layouts of the operands and the results that go with them, one to one.
  void addWays(VariableId variable) {
    std::vector<LayoutId> results(sizes.layouts);
    std::iota(results.begin(), results.end(), 0);
    std::shuffle(results.begin(), results.end(), random);
    for (auto [operands, result] : llvm::enumerate(results)) {
      if (result != problem.variables[variable].original && upTo(3) == 0)
        continue;
      tables->results[{variable, operands}] = result;
      tables->operands[{variable, result}] = operands;
    }
  }

  /// Around the variables from 2 on; it carries the first of them.
  void addLoop() {
    LayoutVariable carried;
    carried.rule = LayoutRule::Forwards;
    carried.operands = {0, sizes.variables - 1};
    carried.form = problem.variables[2].form;
    carried.original = problem.variables[2].original;
    carried.frequency = 8;
    carried.isCarried = true;
    problem.variables[2] = carried;
    problem.loops.push_back({2, sizes.variables, 0, {2}});
    problem.kept.push_back(2);
  }

  void addUser() {
    static constexpr LayoutRule rules[] = {LayoutRule::Anchor, LayoutRule::Anchor,
                                           LayoutRule::AnyLayout, LayoutRule::AnyLayouts};
    LayoutUser &user = problem.users.emplace_back();
    user.rule = rules[upTo(3)];
    const unsigned operands = 1 + upTo(1);
    for (unsigned i = 0; i < operands; ++i) {
      user.operands.push_back(anyVariable());
      if (user.rule == LayoutRule::Anchor)
        user.layouts.push_back(anyLayout());
    }
  }

  void addAlternatives(LayoutUser &user) {
    const unsigned others = upTo(sizes.alternatives);
    if (others == 0)
      return;
    LayoutAlternative &first = user.alternatives.emplace_back();
    first.operands.assign(user.layouts);
    for (VariableId result : user.results)
      first.results.push_back(problem.variables[result].original);
    first.cost = upTo(60);
    for (unsigned other = 0; other < others; ++other) {
      LayoutAlternative &added = user.alternatives.emplace_back();
      for (size_t i = 0; i < user.operands.size(); ++i)
        added.operands.push_back(anyLayout());
      for (size_t i = 0; i < user.results.size(); ++i)
        added.results.push_back(anyLayout());
      added.cost = upTo(60);
      added.why = "alternative " + std::to_string(other + 1);
    }
  }

  void addCosts() {
    for (FormId form = 0; form < 2; ++form)
      for (LayoutId from = 0; from < sizes.layouts; ++from) {
        tables->registerCounts[{form, from}] = 1u << upTo(3);
        if (sizes.hasSpills && upTo(1))
          tables->spills[{form, from}] = upTo(30);
        for (LayoutId to = 0; to < sizes.layouts; ++to)
          if (from != to)
            tables->conversions[{form, from, to}] = upTo(20 + 40 * form);
      }
    for (VariableId variable = 0; variable < sizes.variables; ++variable)
      for (LayoutId layout = 0; layout < sizes.layouts; ++layout)
        tables->combinations[{variable, layout}] = upTo(30);
  }

  std::mt19937 &random;
  const ProblemSizes &sizes;
  std::unique_ptr<LayoutTables> tables;
  LayoutProblem &problem;
};

/// Tries all solutions.
class BruteForce {
public:
  BruteForce(LayoutProblem &problem, unsigned layouts, const LayoutCandidates *candidates)
      : problem(problem), layouts(layouts), candidates(candidates) {
    solution.versions.resize(problem.variables.size());
    solution.uses.resize(problem.users.size());
  }

  Cost run() {
    chooseVersions(0, 0);
    return least;
  }

private:
  /// For the variables from `variable` on, whose versions in layouts before `layout` are chosen.
  void chooseVersions(VariableId variable, LayoutId layout) {
    if (variable == problem.variables.size())
      return chooseUses(0);
    if (layout == layouts)
      return chooseVersions(variable + 1, 0);
    chooseVersions(variable, layout + 1);
    auto &versions = solution.versions[variable];
    if (versions.size() >= problem.mostVersions(variable) || !mayHave(variable, layout))
      return;
    for (const LayoutId operands : operandsFor(variable))
      if (problem.isWay(variable, layout, operands)) {
        versions.push_back({layout, operands});
        chooseVersions(variable, layout + 1);
        versions.pop_back();
      }
  }

  std::vector<LayoutId> operandsFor(VariableId variable) const {
    if (problem.variables[variable].operands.empty())
      return {noLayout};
    std::vector<LayoutId> all(layouts);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void chooseUses(size_t number) {
    if (number == problem.users.size())
      return finish();
    const LayoutUser &user = problem.users[number];
    auto &uses = solution.uses[number];
    if (user.rule == LayoutRule::Anchor) {
      uses = user.layouts;
      chooseUses(number + 1);
      for (size_t other = 1; other < user.alternatives.size(); ++other) {
        uses = user.alternatives[other].operands;
        solution.alternatives[number] = other;
        chooseUses(number + 1);
      }
      solution.alternatives.erase(number);
      return;
    }
    const size_t free = user.rule == LayoutRule::AnyLayout ? 1 : user.operands.size();
    size_t choices = 1;
    for (size_t i = 0; i < free; ++i)
      choices *= layouts;
    for (size_t choice = 0; choice < choices; ++choice) {
      uses.clear();
      for (size_t i = 0; i < user.operands.size(); ++i)
        uses.push_back(user.rule == LayoutRule::AnyLayout
                           ? choice
                           : (i ? choice / layouts : choice % layouts));
      chooseUses(number + 1);
    }
  }

  /// Converts what is missing, each from the nearest version.
  void finish() {
    solution.conversions.clear();
    for (auto [variable, versions] : llvm::zip_equal(problem.variables, solution.versions))
      for (const LayoutSolution::Version &version : versions)
        for (VariableId operand : variable.operands)
          provide(operand, version.operands);
    for (auto [user, layouts] : llvm::zip_equal(problem.users, solution.uses))
      for (auto [operand, layout] : llvm::zip_equal(user.operands, layouts))
        provide(operand, layout);
    if (problem.verify(solution))
      least = std::min(least, problem.costOf(solution).total());
  }

  void provide(VariableId variable, LayoutId layout) {
    if (solution.isAvailable(variable, layout) || solution.versions[variable].empty() ||
        !mayHave(variable, layout))
      return;
    auto costFrom = [&](const LayoutSolution::Version &version) {
      return problem.convertCost(variable, version.layout, layout);
    };
    const auto *nearest =
        llvm::min_element(solution.versions[variable],
                          [&](const auto &a, const auto &b) { return costFrom(a) < costFrom(b); });
    solution.conversions[{variable, layout}] = nearest->layout;
  }

  bool mayHave(VariableId variable, LayoutId layout) const {
    return !candidates || llvm::is_contained(candidates->of(variable), layout);
  }

  LayoutProblem &problem;
  const unsigned layouts;
  const LayoutCandidates *candidates;
  LayoutSolution solution;
  Cost least = impossible;
};

} // namespace

std::unique_ptr<LayoutTables> test::makeRandomProblem(std::mt19937 &random,
                                                      const ProblemSizes &sizes) {
  return Maker(random, sizes).make();
}

Cost test::findLeastCost(LayoutProblem &problem, unsigned layouts,
                         const LayoutCandidates *candidates) {
  return BruteForce(problem, layouts, candidates).run();
}
