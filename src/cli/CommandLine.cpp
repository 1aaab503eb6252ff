//===- CommandLine.cpp - The tilewright command -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"

#include "cli/LargePages.h"
#include "tilewright/Cache.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

//===--------------------------------------------------------------------------===//
// What `compile`, `run` and `tune` have in common
//===--------------------------------------------------------------------------===//

static cl::opt<std::string> file(cl::Positional, cl::desc("FILE"), cl::sub(compileCommand),
                                 cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<std::string> kernel("kernel", cl::value_desc("NAME"),
                                   cl::desc("The kernel; may be left out where there is only one"),
                                   cl::sub(compileCommand), cl::sub(runCommand),
                                   cl::sub(tuneCommand));
static cl::opt<std::string>
    signature("signature", cl::value_desc("LIST"),
              cl::desc("One entry a parameter: a type such as *fp32:16 or i32 (:16 says that it is "
                       "divisible by 16), or the value of a constexpr"),
              cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::list<std::string>
    importPaths("path", cl::value_desc("DIR"),
                cl::desc("A folder in which imports are looked for, after the one that holds the "
                         "file's package; may be given several times"),
                cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<std::string> target("target", cl::value_desc("TARGET"),
                                   cl::desc("The GPU to compile for (default cuda:90, or what a "
                                            ".ttgir names)"),
                                   cl::sub(compileCommand), cl::sub(runCommand),
                                   cl::sub(tuneCommand));
static cl::opt<int> numWarps("num-warps", cl::value_desc("N"),
                             cl::desc("Warps a block (default 4, or what a .ttgir has)"),
                             cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<int> threadsPerWarp("threads-per-warp", cl::value_desc("N"),
                                   cl::desc("Threads a warp, where the target leaves a choice; "
                                            "`tilewright targets` lists them, the default first"),
                                   cl::sub(compileCommand), cl::sub(runCommand),
                                   cl::sub(tuneCommand));
static cl::opt<int> numCtas("num-ctas", cl::value_desc("N"),
                            cl::desc("Blocks of the cluster that runs a program (default 1, or "
                                     "what a .ttgir has)"),
                            cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<int> numStages("num-stages", cl::value_desc("N"), cl::init(3),
                              cl::desc("Stages of software pipelining (default 3)"),
                              cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
// Named as Triton's programs have them (LaunchOptions.h).
static cl::opt<int> maxRegisters("maxnreg", cl::value_desc("N"),
                                 cl::desc("The most registers of a thread (cuda)"),
                                 cl::sub(compileCommand), cl::sub(runCommand),
                                 cl::sub(tuneCommand));
static cl::opt<int> fuseMultiplyAdd("enable-fp-fusion", cl::value_desc("0|1"),
                                    cl::desc("Whether a product and a sum may be rounded once, as "
                                             "one instruction (default 1)"),
                                    cl::sub(compileCommand), cl::sub(runCommand),
                                    cl::sub(tuneCommand));
static cl::opt<int>
    wavesPerEu("waves-per-eu", cl::value_desc("N"),
               cl::desc("Waves that are to fit on a SIMD at once, where the target takes that"),
               cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<int>
    matrixNonKDim("matrix-instr-nonkdim", cl::value_desc("N"),
                  cl::desc("Rows and columns of a matrix instruction, of those that "
                           "the target has"),
                  cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<int> kPack("kpack", cl::value_desc("1|2"),
                          cl::desc("Matrix instructions that a load feeds, where that is the "
                                   "compiler's to choose"),
                          cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<int> cooperativeGrid("launch-cooperative-grid", cl::value_desc("0|1"),
                                    cl::desc("Whether all blocks of a launch run at the same time"),
                                    cl::sub(compileCommand), cl::sub(runCommand),
                                    cl::sub(tuneCommand));
static cl::opt<int> programmaticLaunch("launch-pdl", cl::value_desc("0|1"),
                                       cl::desc("Whether a launch may begin before the one before "
                                                "it has ended (cuda)"),
                                       cl::sub(compileCommand), cl::sub(runCommand),
                                       cl::sub(tuneCommand));
static cl::opt<int> splitBarriers("split-barriers", cl::value_desc("0|1"),
                                  cl::desc("Whether warps keep in step in loops that prefetch "
                                           "(xpu)"),
                                  cl::sub(compileCommand), cl::sub(runCommand),
                                  cl::sub(tuneCommand));
// Texts, so that a third one is an error of ours.
static constexpr llvm::StringLiteral fullLaunch = "full", plainLaunch = "plain";
static cl::opt<std::string>
    launchKind("launch", cl::value_desc("full|plain"), cl::init(fullLaunch.str()),
               cl::desc("What launches the kernel: `tilewright run` or the launch library, for "
                        "which tensor maps too are parameters (full, the default), or anything, "
                        "with addresses and numbers alone (plain)"),
               cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<bool> useExtensions("spirv-extensions",
                                   cl::desc("For xpu: matrix products as instructions of "
                                            "extensions, not as OpenCL's functions"),
                                   cl::sub(compileCommand), cl::sub(runCommand),
                                   cl::sub(tuneCommand));
static cl::opt<bool> debug("debug",
                           cl::desc("Compile the kernel's assertions in: assert, device_assert"),
                           cl::sub(compileCommand), cl::sub(runCommand), cl::sub(tuneCommand));
static cl::opt<std::string> dumpPasses("dump-passes", cl::value_desc("DIR"),
                                       cl::desc("Write the IR after every pass to DIR, numbered"),
                                       cl::sub(compileCommand), cl::sub(runCommand));
static cl::opt<bool>
    wantsRemarksOption("remarks",
                       cl::desc("Print remarks: how parts of the kernel were compiled, where "
                                "another way may be quicker, with the reason and the remedy"),
                       cl::sub(compileCommand), cl::sub(runCommand));
static cl::opt<bool> wantsStageTimes("time", cl::desc("Print the time of each stage as JSON"),
                                     cl::sub(compileCommand), cl::sub(runCommand));
static cl::opt<bool> noCache("no-cache",
                             cl::desc("Compile even what the cache has (`tilewright cache` tells "
                                      "of it), and keep nothing there"),
                             cl::sub(compileCommand), cl::sub(runCommand));

const std::string &CompileFlags::file() { return ::file.getValue(); }
bool CompileFlags::wantsTimes() { return wantsStageTimes; }
bool CompileFlags::wantsRemarks() { return wantsRemarksOption; }

CompileOptions CompileFlags::options() {
  CompileOptions options;
  options.kernel = kernel;
  options.signature = signature;
  if (target.getNumOccurrences())
    options.target = target;
  if (numWarps.getNumOccurrences())
    options.numWarps = numWarps;
  if (threadsPerWarp.getNumOccurrences())
    options.threadsPerWarp = threadsPerWarp;
  if (numCtas.getNumOccurrences())
    options.numCtas = numCtas;
  options.numStages = numStages;
  auto given = [](const cl::opt<int> &option) -> std::optional<int> {
    if (option.getNumOccurrences())
      return option.getValue();
    return std::nullopt;
  };
  options.launch = {given(maxRegisters),       given(fuseMultiplyAdd), given(wavesPerEu),
                    given(matrixNonKDim),      given(kPack),           given(cooperativeGrid),
                    given(programmaticLaunch), given(splitBarriers)};
  options.plainLaunch = launchKind == plainLaunch;
  options.useExtensions = useExtensions;
  options.debug = ::debug;
  options.importPaths.assign(importPaths.begin(), importPaths.end());
  options.dumpPassesDirectory = dumpPasses;
  return options;
}

/// Whether the user gave an option of LLVM's, which no key of the cache has in it.
static bool hasForeignOptions() {
  for (const auto &option : cl::getRegisteredOptions(cl::SubCommand::getTopLevel()))
    if (option.second->getNumOccurrences())
      return true;
  return false;
}

std::shared_ptr<Cache> CompileFlags::openCache() {
  if (noCache || wantsTimes() || hasForeignOptions())
    return nullptr;
  Expected<std::shared_ptr<Cache>> cache = Cache::openForUser();
  if (cache)
    return *cache;
  Diagnostic warning = cache.error();
  warning.severity = Severity::Warning;
  report(warning);
  return nullptr;
}

//===--------------------------------------------------------------------------===//
// The command
//===--------------------------------------------------------------------------===//

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
  for (cl::SubCommand *command : {&compileCommand, &runCommand, &tuneCommand})
    if (*command && ::file.empty())
      return report(
          makeError("no file was given", "say `tilewright " + command->getName().str() + " FILE`"));
  if (launchKind != fullLaunch && launchKind != plainLaunch)
    return report(makeError("no kernel is launched '" + launchKind + "'",
                            "give --launch full, or --launch plain"));
  if (compileCommand)
    return runCompileCommand();
  if (runCommand)
    return runRunCommand();
  if (tuneCommand)
    return runTuneCommand();
  if (layoutCommand)
    return runLayoutCommand();
  if (convertCommand)
    return runConvertCommand();
  if (blockLoadCommand)
    return runBlockLoadCommand();
  if (headerCommand)
    return runHeaderCommand();
  if (targetsCommand)
    return runTargetsCommand();
  if (cacheCommand)
    return runCacheCommand();
  return report(makeError("no command given",
                          "say `tilewright compile`, `run`, `tune`, `layout`, `convert`, "
                          "`blockload`, `targets`, `cache` or `generate-header`; --help tells of "
                          "each"));
}
