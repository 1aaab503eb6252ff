//===- CompileCommand.cpp - The command tilewright compile --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/Output.h"
#include "runtime/files/Files.h"

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

int cli::runCompileCommand() {
  auto source = readSource(CompileFlags::file());
  if (!source)
    return report(source.error());
  Compiler compiler(repeat > 1 ? nullptr : openCache());
  std::vector<std::vector<StageTime>> times;
  CompileResult result;
  for (unsigned i = 0; i < std::max(1u, repeat.getValue()); ++i) {
    result = compiler.compile(*source, CompileFlags::options());
    if (!result)
      break;
    times.push_back(result.compilation->times);
  }
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
