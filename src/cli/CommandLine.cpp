//===- CommandLine.cpp - The tilewright command -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"

#include "cli/LargePages.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

int cli::report(const std::vector<Diagnostic> &diagnostics) {
  int code = 0;
  for (const Diagnostic &diagnostic : diagnostics) {
    llvm::errs() << render(diagnostic);
    if (diagnostic.severity == Severity::Error)
      code = 1;
  }
  return code;
}

int cli::report(const CompileResult &result) {
  const int code = report(result.diagnostics);
  if (result && CompileFlags::wantsRemarks())
    report(result.compilation->remarks);
  return code;
}

int cli::report(const Diagnostic &diagnostic) {
  return report(std::vector<Diagnostic>{diagnostic});
}

std::shared_ptr<Cache> cli::openCache() {
  Expected<std::shared_ptr<Cache>> cache = CompileFlags::findCache();
  if (cache)
    return *cache;
  Diagnostic warning = cache.error();
  warning.severity = Severity::Warning;
  report(warning);
  return nullptr;
}

/// Reports what LLVM's command line complained of as an error of ours. Its lines begin with the
/// program's name, and its hints at --help name the program by its whole path and without the
/// command. An option's value it complains of itself: then the remedy alone is missing.
static int reportComplaint(llvm::StringRef complaint, llvm::StringRef program) {
  auto [first, rest] = complaint.split('\n');
  first.consume_front(program);
  first.consume_front(": ");
  std::string remedy;
  if (size_t hint = rest.find("Did you mean "); hint != llvm::StringRef::npos)
    remedy = "did you mean " + rest.drop_front(hint + 13).split('?').first.str() + "? ";
  auto subcommands = cl::getRegisteredSubcommands();
  auto command = llvm::find_if(
      subcommands, [](cl::SubCommand *each) { return *each && !each->getName().empty(); });
  remedy += command == subcommands.end()
                ? "`tilewright --help` lists the commands"
                : "`tilewright " + (*command)->getName().str() +
                      " --help` lists what it takes; quote what holds spaces or <>";
  if (!complaint.empty())
    return report(makeError(first.split("  Try: ").first.rtrim(" !.").str(), remedy));
  llvm::errs() << "  " << remedy << '\n';
  return 1;
}

int cli::runCommandLine(int argc, char **argv) {
  useLargePages();
  const char *overview = "Tilewright: a compiler for GPU tile kernels\n\n"
                         "  tilewright COMMAND --help   tells of one command\n";
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tilewright 0.1.0\n"; });
  // LLVM's own options, some hundreds, belong to no command: they stay usable, but unseen.
  cl::OptionCategory none("Tilewright");
  cl::HideUnrelatedOptions(none);
  std::string complaint;
  llvm::raw_string_ostream complaints(complaint);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &complaints)) {
    return reportComplaint(complaint, llvm::sys::path::filename(argv[0]));
  }
  for (cl::SubCommand *command : {&compileCommand, &runCommand, &reportCommand, &tuneCommand})
    if (*command && CompileFlags::file().empty())
      return report(
          makeError("no file was given", "say `tilewright " + command->getName().str() + " FILE`"));
  if (Expected<void> checked = CompileFlags::check(); !checked)
    return report(checked.error());
  if (compileCommand)
    return runCompileCommand();
  if (runCommand)
    return runRunCommand();
  if (reportCommand)
    return runReportCommand();
  if (tuneCommand)
    return runTuneCommand();
  if (layoutCommand)
    return runLayoutCommand();
  if (convertCommand)
    return runConvertCommand();
  if (blockLoadCommand)
    return runBlockLoadCommand();
  if (reduceCommand)
    return runReduceCommand();
  if (headerCommand)
    return runHeaderCommand();
  if (targetsCommand)
    return runTargetsCommand();
  if (cacheCommand)
    return runCacheCommand();
  return report(makeError("no command given",
                          "say `tilewright compile`, `run`, `report`, `tune`, `layout`, `convert`, "
                          "`blockload`, `reduce`, `targets`, `cache` or `generate-header`; --help "
                          "tells of each"));
}
