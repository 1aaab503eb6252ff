//===- CompileCommand.cpp - The command tilewright compile --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/Output.h"
#include "cli/kernel/LaunchFlags.h"
#include "runtime/files/Files.h"
#include "validate/Validate.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> output("o", cl::value_desc("DIR"), cl::init("."),
                                   cl::desc("The folder for the results (default: here)"),
                                   cl::sub(compileCommand));
static cl::opt<std::string> depfile("depfile", cl::value_desc("FILE"),
                                    cl::desc("Write the files that the result depends on to FILE, "
                                             "as a rule of make's for NAME.json"),
                                    cl::sub(compileCommand));
static cl::opt<unsigned> repeat("repeat", cl::value_desc("N"), cl::init(1),
                                cl::desc("Compile N times in one process, for measurements; "
                                         "--time then gives the medians"),
                                cl::sub(compileCommand));

static cl::opt<bool>
    validates("validate",
              cl::desc("Run the program before and after each pass on inputs made for it, or on "
                       "those of --arg and --grid, and name the first pass that changes its "
                       "results"),
              cl::sub(compileCommand));

/// The part of the inputs of --validate that --arg and --grid fix. Errors: they are given without
/// it.
static Expected<validate::GivenInput> givenInput() {
  validate::GivenInput given;
  auto texts = LaunchFlags::givenTexts();
  if (!texts)
    return texts.error();
  if (!validates && (!texts->empty() || LaunchFlags::hasGrid()))
    return makeError("compile takes --arg and --grid for --validate alone",
                     "add --validate, or use `tilewright run`");
  given.arguments = std::move(*texts);
  if (!LaunchFlags::hasGrid())
    return given;
  auto grid = LaunchFlags::grid();
  if (!grid)
    return grid.error();
  given.grid = *grid;
  return given;
}

/// Compiles as often as --repeat says; the times of each go to `times`.
static CompileResult compileRepeatedly(const Source &source,
                                       std::vector<std::vector<StageTime>> &times) {
  Compiler compiler(repeat > 1 ? nullptr : openCache());
  CompileResult result;
  for (unsigned i = 0; i < std::max(1u, repeat.getValue()); ++i) {
    result = compiler.compile(source, CompileFlags::options());
    if (!result)
      break;
    times.push_back(result.compilation->times);
  }
  return result;
}

static CompileResult compileValidated(const Source &source, const validate::GivenInput &given,
                                      std::vector<std::vector<StageTime>> &times) {
  validate::ValidatedCompilation validated =
      validate::compile(source, CompileFlags::options(), given);
  if (validated.compilation) {
    llvm::outs() << validate::render(validated.report);
    times.push_back(validated.compilation.compilation->times);
  }
  return std::move(validated.compilation);
}

int cli::runCompileCommand() {
  auto source = readSource(CompileFlags::file());
  if (!source)
    return report(source.error());
  auto given = givenInput();
  if (!given)
    return report(given.error());
  std::vector<std::vector<StageTime>> times;
  const CompileResult result =
      validates ? compileValidated(*source, *given, times) : compileRepeatedly(*source, times);
  if (int code = report(result); code || !result)
    return 1;
  if (auto written = writeCompilation(output, *result.compilation); !written)
    return report(written.error());
  if (!depfile.empty())
    if (auto written = runtime::writeFile(
            depfile, dependencyRule(output, CompileFlags::file(), *result.compilation));
        !written)
      return report(written.error());
  if (CompileFlags::wantsTimes())
    llvm::outs() << timesAsJson(times, result.compilation->kernel.metadata,
                                CompileFlags::options().numStages)
                 << '\n';
  return 0;
}
