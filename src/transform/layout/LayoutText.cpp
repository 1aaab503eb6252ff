//===- LayoutText.cpp - Layout problems as text -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using llvm::ArrayRef;
using llvm::StringRef;

namespace tilewright::transform {

using tt::LayoutRule;

static constexpr std::pair<LayoutRule, StringRef> ruleNames[] = {
    {LayoutRule::AnyResult, "AnyResult"},   {LayoutRule::SameLayout, "SameLayout"},
    {LayoutRule::Inferred, "Inferred"},     {LayoutRule::Collective, "Collective"},
    {LayoutRule::AnyLayout, "AnyLayout"},   {LayoutRule::AnyLayouts, "AnyLayouts"},
    {LayoutRule::Conversion, "Conversion"}, {LayoutRule::Forwards, "Forwards"},
    {LayoutRule::Anchor, "Anchor"},
};

static StringRef nameOf(LayoutRule rule) {
  return llvm::find_if(ruleNames, [&](auto &entry) { return entry.first == rule; })->second;
}

//===--------------------------------------------------------------------------===//
// Printing
//===--------------------------------------------------------------------------===//

/// The entries of a map in the order of their keys.
template <typename Map> static auto sorted(const Map &map) {
  return std::map<typename Map::key_type, typename Map::mapped_type>(map.begin(), map.end());
}

class LayoutPrinter {
public:
  explicit LayoutPrinter(const LayoutProblem &problem) : problem(problem), out(text) {}

  std::string print() {
    for (auto [number, variable] : llvm::enumerate(problem.variables))
      print(number, variable);
    for (const LayoutLoop &loop : problem.loops) {
      out << "loop " << loop.begin << " to " << loop.end << " nests " << loop.nested;
      printNumbers(" carries ", loop.carried);
      out << "\n";
    }
    for (auto [number, user] : llvm::enumerate(problem.users))
      print(number, user);
    if (!problem.kept.empty()) {
      printNumbers("kept: ", problem.kept);
      out << "\n";
    }
    printFacts();
    return describe() + text;
  }

private:
  void printNumbers(StringRef before, ArrayRef<uint32_t> numbers) {
    if (!numbers.empty())
      out << before
          << llvm::join(llvm::map_range(numbers, [](auto n) { return std::to_string(n); }), ", ");
  }

  void print(VariableId number, const LayoutVariable &variable) {
    out << "variable " << number << ": " << nameOf(variable.rule);
    if (!variable.operands.empty()) {
      printNumbers("(", variable.operands);
      out << ")";
    }
    out << " of form " << use(forms, variable.form) << " in " << use(layouts, variable.original);
    if (variable.frequency != 1)
      out << " x " << variable.frequency;
    if (variable.instructions)
      out << " takes " << variable.instructions;
    out << (variable.isCarried ? " carried" : "") << (variable.isStaged ? " staged" : "");
    for (const LayoutSink &sink : variable.sinks)
      out << " sink " << use(layouts, sink.layout) << " x " << sink.frequency;
    out << " // " << problem.facts.describeVariable(number) << "\n";
  }

  void print(size_t number, const LayoutUser &user) {
    out << "user " << number << ": " << nameOf(user.rule) << "(";
    for (auto [place, operand] : llvm::enumerate(user.operands)) {
      out << (place ? ", " : "") << operand;
      if (!user.layouts.empty())
        out << " in " << use(layouts, user.layouts[place]);
    }
    out << ")";
    printNumbers(" gives ", user.results);
    out << "\n";
    for (const LayoutAlternative &alternative : user.alternatives)
      print(number, alternative);
  }

  void print(size_t user, const LayoutAlternative &alternative) {
    out << "alternative of " << user << ":";
    printLayouts(" ", alternative.operands);
    printLayouts(" gives ", alternative.results);
    out << " costs " << alternative.cost;
    if (!alternative.why.empty())
      out << " // " << alternative.why;
    out << "\n";
  }

  void printLayouts(StringRef before, ArrayRef<LayoutId> numbers) {
    printNumbers(before, numbers);
    for (LayoutId layout : numbers)
      use(layouts, layout);
  }

  void printFacts() {
    printWays("results of ", problem.resultLayouts);
    printWays("operands of ", problem.operandLayouts);
    for (const auto &[key, count] : sorted(problem.registerCounts))
      out << "registers of form " << use(forms, key.first) << ": " << use(layouts, key.second)
          << " holds " << count << "\n";
    for (const auto &[key, cost] : sorted(problem.spills))
      if (cost > 0)
        out << "spill form " << use(forms, key.first) << ": " << use(layouts, key.second)
            << " costs " << cost << "\n";
    for (const auto &[key, cost] : sorted(problem.conversions)) {
      const auto [form, from, to] = key;
      out << "convert form " << use(forms, form) << ": " << use(layouts, from) << " -> "
          << use(layouts, to) << " costs " << cost << "\n";
    }
    for (const auto &[key, cost] : sorted(problem.combinations))
      out << "combine " << key.first << ": " << use(layouts, key.second) << " costs " << cost
          << "\n";
  }

  template <typename Map> void printWays(StringRef what, const Map &ways) {
    for (const auto &[key, layout] : sorted(ways)) {
      out << what << key.first << ": " << use(layouts, key.second) << " -> ";
      if (layout == noLayout)
        out << "none\n";
      else
        out << use(layouts, layout) << "\n";
    }
  }

  /// Notes that `number` is used in the text.
  static uint32_t use(uint32_t &count, uint32_t number) {
    count = std::max(count, number + 1);
    return number;
  }

  /// What the layouts and forms of the text are.
  std::string describe() {
    std::string result;
    for (LayoutId layout = 0; layout < layouts; ++layout)
      result +=
          "layout " + std::to_string(layout) + ": " + problem.facts.describeLayout(layout) + "\n";
    for (FormId form = 0; form < forms; ++form)
      result += "form " + std::to_string(form) + ": " + problem.facts.describeForm(form) + "\n";
    return result;
  }

  const LayoutProblem &problem;
  uint32_t layouts = 0, forms = 0;
  std::string text;
  llvm::raw_string_ostream out;
};

std::string printLayoutProblem(const LayoutProblem &problem) {
  return LayoutPrinter(problem).print();
}

std::string printLayoutSolution(const LayoutSolution &solution) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto [variable, versions] : llvm::enumerate(solution.versions)) {
    if (!versions.empty())
      out << "versions of " << variable << ":";
    for (auto [place, version] : llvm::enumerate(versions)) {
      out << (place ? ", " : " ") << version.layout;
      if (version.operands != noLayout)
        out << " from " << version.operands;
    }
    if (!versions.empty())
      out << "\n";
  }
  for (const auto &[wanted, source] : sorted(solution.conversions))
    out << "converted " << wanted.first << ": " << source << " -> " << wanted.second << "\n";
  for (auto [user, layouts] : llvm::enumerate(solution.uses)) {
    if (layouts.empty())
      continue;
    out << "user " << user << " takes ";
    llvm::interleaveComma(layouts, out);
    out << "\n";
  }
  for (auto [user, alternative] : sorted(solution.alternatives))
    out << "user " << user << " is alternative " << alternative << "\n";
  return text;
}

//===--------------------------------------------------------------------------===//
// Reading
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
    for (auto [value, text] : ruleNames)
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
