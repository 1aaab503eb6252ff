//===- LayoutReader.cpp - Layout problems from texts ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/LayoutText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilewright::transform {

using tt::LayoutRule;

//===--------------------------------------------------------------------------===//
// Facts of a text
//===--------------------------------------------------------------------------===//

LayoutId LayoutTables::resultLayout(VariableId variable, LayoutId from) {
  const auto found = results.find({variable, from});
  return found == results.end() ? noLayout : found->second;
}

LayoutId LayoutTables::operandLayout(VariableId variable, LayoutId result) {
  const auto found = operands.find({variable, result});
  return found == operands.end() ? noLayout : found->second;
}

Cost LayoutTables::registers(FormId form, LayoutId layout) {
  const auto found = registerCounts.find({form, layout});
  return found == registerCounts.end() ? 1 : found->second;
}

Cost LayoutTables::conversion(FormId form, LayoutId from, LayoutId to) {
  const auto found = conversions.find({form, from, to});
  return found == conversions.end() ? impossible : found->second;
}

Cost LayoutTables::combination(VariableId variable, LayoutId from) {
  return combinations.lookup({variable, from});
}

//===--------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------===//

namespace {

/// Reads the statements of a text, one a line.
class LayoutReader {
public:
  explicit LayoutReader(LayoutTables &tables) : tables(tables), problem(tables.problem) {}

  /// The error of a line is where it stops to be a statement.
  Result<void> read(StringRef text) {
    unsigned number = 0;
    for (StringRef line : llvm::split(text, '\n')) {
      ++number;
      std::tie(rest, comment) = line.split("//");
      rest = rest.trim();
      comment = comment.trim();
      if (!rest.empty() && !(readStatement() && rest.empty()))
        return Failure("line " + std::to_string(number) +
                       " is no statement of a layout problem from '" + rest.str() + "' on");
    }
    return checkNumbers();
  }

private:
  // Each takes what it reads from `rest`, and says whether it is there.
  bool take(StringRef word) {
    if (!rest.consume_front(word))
      return false;
    rest = rest.ltrim();
    return true;
  }
  template <typename T> bool takeNumber(T &number) {
    if (rest.consumeInteger(10, number))
      return false;
    rest = rest.ltrim();
    return true;
  }
  template <typename T> bool takeNumber(StringRef word, T &number) {
    return take(word) && takeNumber(number);
  }
  /// A number that is the next one of its kind.
  bool takeNext(size_t next) {
    size_t number = 0;
    return takeNumber(number) && number == next && take(":");
  }
  template <typename List> bool takeNumbers(List &list) {
    do {
      if (!takeNumber(list.emplace_back()))
        return false;
    } while (take(","));
    return true;
  }
  bool takeRule(LayoutRule &rule) {
    const StringRef name = rest.take_while(llvm::isAlpha);
    for (auto [value, text] : layoutRuleNames)
      if (text == name) {
        rule = value;
        return take(name);
      }
    return false;
  }
  bool takeText(std::vector<std::string> &texts) {
    texts.push_back(rest.str());
    rest = {};
    return true;
  }

  bool readStatement() {
    if (take("layout"))
      return takeNext(tables.layouts.size()) && takeText(tables.layouts);
    if (take("form"))
      return takeNext(tables.forms.size()) && takeText(tables.forms);
    if (take("variable"))
      return takeNext(problem.variables.size()) && readVariable(problem.variables.emplace_back());
    if (take("loop"))
      return readLoop(problem.loops.emplace_back());
    if (take("user"))
      return takeNext(problem.users.size()) && readUser(problem.users.emplace_back());
    if (take("alternative of"))
      return readAlternative();
    if (take("kept:"))
      return takeNumbers(problem.kept);
    return readFact();
  }

  bool readVariable(LayoutVariable &variable) {
    tables.names.push_back(comment.str());
    if (!takeRule(variable.rule))
      return false;
    if (take("(") && !(takeNumbers(variable.operands) && take(")")))
      return false;
    if (!takeNumber("of form", variable.form) || !takeNumber("in", variable.original))
      return false;
    if (take("x") && !takeNumber(variable.frequency))
      return false;
    if (take("takes") && !takeNumber(variable.instructions))
      return false;
    variable.isCarried = take("carried");
    variable.isStaged = take("staged");
    while (take("sink")) {
      LayoutSink &sink = variable.sinks.emplace_back();
      if (!takeNumber(sink.layout) || !takeNumber("x", sink.frequency))
        return false;
    }
    return true;
  }

  bool readLoop(LayoutLoop &loop) {
    if (!takeNumber(loop.begin) || !takeNumber("to", loop.end) || !takeNumber("nests", loop.nested))
      return false;
    return !take("carries") || takeNumbers(loop.carried);
  }

  bool readUser(LayoutUser &user) {
    if (!takeRule(user.rule) || !take("("))
      return false;
    while (!take(")")) {
      if (!user.operands.empty() && !take(","))
        return false;
      if (!takeNumber(user.operands.emplace_back()))
        return false;
      if (take("in") && !takeNumber(user.layouts.emplace_back()))
        return false;
    }
    return !take("gives") || takeNumbers(user.results);
  }

  bool readAlternative() {
    size_t user = 0;
    if (!takeNumber(user) || !take(":") || user >= problem.users.size())
      return false;
    LayoutAlternative &alternative = problem.users[user].alternatives.emplace_back();
    alternative.why = comment.str();
    if (!problem.users[user].operands.empty() && !takeNumbers(alternative.operands))
      return false;
    if (take("gives") && !takeNumbers(alternative.results))
      return false;
    return takeNumber("costs", alternative.cost);
  }

  bool readFact() {
    if (take("results of"))
      return readWay(tables.results);
    if (take("operands of"))
      return readWay(tables.operands);
    uint32_t of = 0, from = 0, to = 0;
    Cost cost = 0;
    if (take("registers of form")) {
      if (!takeNumber(of) || !takeNumber(":", from) || !takeNumber("holds", cost))
        return false;
      return tables.registerCounts.try_emplace({of, from}, cost).second;
    }
    if (take("spill form")) {
      if (!takeNumber(of) || !takeNumber(":", from) || !takeNumber("costs", cost))
        return false;
      return tables.spills.try_emplace({of, from}, cost).second;
    }
    if (take("convert form")) {
      if (!takeNumber(of) || !takeNumber(":", from) || !takeNumber("->", to) ||
          !takeNumber("costs", cost))
        return false;
      return tables.conversions.try_emplace({of, from, to}, cost).second;
    }
    if (!takeNumber("combine", of) || !takeNumber(":", from) || !takeNumber("costs", cost))
      return false;
    return tables.combinations.try_emplace({of, from}, cost).second;
  }

  template <typename Map> bool readWay(Map &ways) {
    uint32_t of = 0, from = 0, to = noLayout;
    if (!takeNumber(of) || !takeNumber(":", from) || !take("->"))
      return false;
    if (!take("none") && !takeNumber(to))
      return false;
    return ways.try_emplace({of, from}, to).second;
  }

  /// What the text refers to must be there: solvers take the numbers as places.
  Result<void> checkNumbers() {
    for (auto [number, variable] : llvm::enumerate(problem.variables)) {
      const bool areThere = llvm::all_of(variable.operands,
                                         [&](VariableId operand) { return isVariable(operand); }) &&
                            llvm::all_of(variable.sinks, [&](const LayoutSink &sink) {
                              return isLayout(sink.layout);
                            });
      if (!areThere || !isLayout(variable.original) || variable.form >= tables.forms.size())
        return Failure("variable " + std::to_string(number) + " refers to what is not there");
    }
    for (auto [number, user] : llvm::enumerate(problem.users)) {
      const bool areThere =
          llvm::all_of(user.operands, [&](VariableId operand) { return isVariable(operand); }) &&
          llvm::all_of(user.results, [&](VariableId result) { return isVariable(result); }) &&
          llvm::all_of(user.layouts, [&](LayoutId layout) { return isLayout(layout); });
      const size_t wanted = user.rule == LayoutRule::Anchor ? user.operands.size() : 0;
      if (!areThere || user.layouts.size() != wanted)
        return Failure("user " + std::to_string(number) + " refers to what is not there");
      if (!areAlternativesOf(user))
        return Failure("user " + std::to_string(number) + " cannot have its alternatives");
    }
    for (auto [number, loop] : llvm::enumerate(problem.loops))
      if (loop.begin >= loop.end || loop.end > problem.variables.size() ||
          number + loop.nested >= problem.loops.size() ||
          !llvm::all_of(loop.carried, [&](VariableId carried) { return isCarried(carried); }))
        return Failure("loop " + std::to_string(number) + " refers to what is not there");
    if (!llvm::all_of(problem.kept, [&](VariableId kept) { return isVariable(kept); }))
      return Failure("a kept variable is not there");
    return {};
  }
  /// Whether the alternatives have layouts for all that the user has, and the first is the user as
  /// it is.
  bool areAlternativesOf(const LayoutUser &user) const {
    if (user.alternatives.empty())
      return true;
    const LayoutAlternative &first = user.alternatives.front();
    for (const LayoutAlternative &each : user.alternatives)
      if (user.rule != LayoutRule::Anchor || each.operands.size() != user.operands.size() ||
          each.results.size() != user.results.size() ||
          !llvm::all_of(each.operands, [&](LayoutId layout) { return isLayout(layout); }) ||
          !llvm::all_of(each.results, [&](LayoutId layout) { return isLayout(layout); }))
        return false;
    return llvm::equal(first.operands, user.layouts) &&
           llvm::all_of(llvm::zip_equal(user.results, first.results), [&](auto given) {
             const auto [variable, layout] = given;
             return problem.variables[variable].isFixed() &&
                    problem.variables[variable].original == layout;
           });
  }
  bool isVariable(VariableId variable) const { return variable < problem.variables.size(); }
  bool isLayout(LayoutId layout) const { return layout < tables.layouts.size(); }
  bool isCarried(VariableId variable) const {
    return isVariable(variable) && !problem.variables[variable].operands.empty();
  }

  LayoutTables &tables;
  LayoutProblem &problem;
  StringRef rest, comment;
};

} // namespace

Result<std::unique_ptr<LayoutTables>> LayoutTables::read(StringRef text) {
  auto tables = std::make_unique<LayoutTables>();
  if (Result<void> right = LayoutReader(*tables).read(text); !right)
    return Failure(right.error());
  return tables;
}

} // namespace tilewright::transform
