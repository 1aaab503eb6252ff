//===- LinkedText.cpp - Texts whose lines know where they come from -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LinkedText.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

void LinkedText::link(unsigned line, ArrayRef<unsigned> numbers) {
  if (numbers.empty())
    return;
  if (places.size() <= line)
    places.resize(line + 1);
  for (unsigned number : numbers)
    if (!llvm::is_contained(places[line], number))
      places[line].push_back(number);
}

size_t LinkedText::lineCount() const {
  return llvm::count(text, '\n') + (!text.empty() && text.back() != '\n');
}

llvm::json::Array LinkedText::linksJson() const {
  llvm::json::Array links;
  for (auto [line, numbers] : llvm::enumerate(places))
    if (!numbers.empty()) {
      llvm::json::Array link{static_cast<int64_t>(line + 1)};
      for (unsigned number : numbers)
        link.push_back(static_cast<int64_t>(number));
      links.push_back(std::move(link));
    }
  return links;
}

static OpPrintingFlags flagsOfReports() {
  OpPrintingFlags flags;
  // The values have the names of the source's variables. Passes leave IR that is right.
  flags.printNameLocAsPrefix().assumeVerified();
  return flags;
}

PrintedModule::PrintedModule(ModuleOp module, Places &places)
    : state(module, flagsOfReports(), &lines) {
  llvm::raw_string_ostream os(result.text);
  module->print(os, state);
  os << '\n';
  module.walk([&](Operation *op) {
    SmallVector<unsigned> numbers;
    places.collect(op->getLoc(), numbers);
    if (auto line = lineOf(op); line && !isa<ModuleOp>(op))
      result.link(*line, numbers);
  });
}

std::optional<unsigned> PrintedModule::lineOf(Operation *op) const {
  auto at = lines.find(op);
  if (at == lines.end())
    return std::nullopt;
  return at->second.first - 1;
}

std::string PrintedModule::nameOf(Value value) {
  std::string name;
  llvm::raw_string_ostream os(name);
  value.printAsOperand(os, state);
  return name;
}

std::string PrintedModule::nameOf(Attribute attribute) {
  std::string name;
  llvm::raw_string_ostream os(name);
  attribute.print(os, state);
  return name;
}
