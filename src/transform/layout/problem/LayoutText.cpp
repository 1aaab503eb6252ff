//===- LayoutText.cpp - Layout problems as text -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/LayoutText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using llvm::ArrayRef;
using llvm::StringRef;

namespace tilewright::transform {

using tt::LayoutRule;

static StringRef nameOf(LayoutRule rule) {
  return llvm::find_if(layoutRuleNames, [&](auto &entry) { return entry.first == rule; })->second;
}

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

} // namespace tilewright::transform
