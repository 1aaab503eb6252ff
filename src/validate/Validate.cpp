//===- Validate.cpp - A compilation, each of its passes validated ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Validate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;

ValidatedCompilation validate::compile(const Source &source, const CompileOptions &options,
                                       const GivenInput &given) {
  Validator validator(given);
  ValidatedCompilation validated;
  validated.compilation = compiler::compileObserved(source, options, validator);
  CompileResult &compilation = validated.compilation;
  auto fail = [&](tilewright::Diagnostic error) {
    compilation.compilation.reset();
    compilation.diagnostics.push_back(std::move(error));
  };
  if (validator.error())
    fail(*validator.error());
  validated.report = validator.report();
  if (validated.report.found)
    fail(describe(*validated.report.found, source));
  return validated;
}

/// "file:line:col" as a range, with the line of the source.
static SourceRange rangeOf(llvm::StringRef place, const Source &source, std::string &line) {
  SourceRange range;
  auto [rest, column] = place.rsplit(':');
  auto [file, number] = rest.rsplit(':');
  range.file = file.empty() ? source.name : file.str();
  if (number.getAsInteger(10, range.line) || column.getAsInteger(10, range.column))
    return range;
  if (range.file == source.name)
    line = sourceLineOf(source.text, range.line);
  return range;
}

tilewright::Diagnostic validate::describe(const Miscompilation &found, const Source &source) {
  const Difference &difference = found.difference;
  std::string changed;
  if (difference.argument.empty())
    changed = "instead of coming to its end: " + difference.after;
  else
    changed = llvm::formatv("{0}[{1}] is {2} after it and {3} before", difference.argument,
                            difference.index, difference.after, difference.before)
                  .str();
  tilewright::Diagnostic error = makeFileError(
      source.name, "the pass " + found.pass + " changes what the kernel computes: " + changed,
      "please report this with the kernel and the command; the smallest input found is " +
          found.input);
  if (!difference.place.empty())
    error.where = rangeOf(difference.place, source, error.sourceLine);
  return error;
}

std::string validate::render(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (report.inputs.empty()) {
    out << "validated: nothing, as there is no input on which the source was interpreted\n";
  } else {
    out << llvm::formatv("validated: {0} passes that changed the program, on {1} inputs; the "
                         "simulated kernel, on {2} of them\n",
                         report.checked, report.inputs.size(), report.simulated);
    for (const std::string &input : report.inputs)
      out << "  " << input << '\n';
  }
  for (const Unchecked &unchecked : report.unchecked) {
    out << "not checked: " << unchecked.pass << ", for " << unchecked.why;
    if (!unchecked.place.empty())
      out << " at " << unchecked.place;
    out << '\n';
  }
  if (report.inputs.empty())
    for (const std::string &refused : report.refused)
      out << "not an input: " << refused << '\n';
  return text;
}
