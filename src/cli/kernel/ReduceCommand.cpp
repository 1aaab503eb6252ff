//===- ReduceCommand.cpp - The command tilewright reduce ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "reduce/Reducer.h"
#include "reduce/ToolTest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using namespace tilewright::reduce;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::desc("FILE"), cl::sub(reduceCommand));
static cl::list<std::string> flags(cl::Positional, cl::desc("[-- FLAGS]"), cl::sub(reduceCommand));
static cl::opt<std::string> output("o", cl::value_desc("FILE"),
                                   cl::desc("Where the smallest program goes (default: standard "
                                            "output)"),
                                   cl::sub(reduceCommand));
static cl::opt<std::string>
    errorText("error", cl::value_desc("TEXT"),
              cl::desc("It fails where `compile` or `run` gives an error that contains TEXT"),
              cl::sub(reduceCommand));
static cl::opt<bool> crashes("crash", cl::desc("It fails where the process dies"),
                             cl::sub(reduceCommand));
static cl::opt<bool> hangs("hang", cl::desc("It fails where the process takes over --each seconds"),
                           cl::sub(reduceCommand));
static cl::opt<std::string>
    otherFlags("differs", cl::value_desc("FLAGS"),
               cl::desc("It fails where `run` leaves other arrays than with these flags"),
               cl::sub(reduceCommand));
static cl::opt<std::string>
    command("test", cl::value_desc("COMMAND"),
            cl::desc("It fails where COMMAND ends with 0; it gets the file and the flags"),
            cl::sub(reduceCommand));
static cl::opt<unsigned> secondsInAll("seconds", cl::value_desc("N"), cl::init(300),
                                      cl::desc("Stop after this time (default 300)"),
                                      cl::sub(reduceCommand));
static cl::opt<unsigned> secondsEach("each", cl::value_desc("N"), cl::init(20),
                                     cl::desc("What one process may take (default 20)"),
                                     cl::sub(reduceCommand));

/// How the program fails, of which one thing is said.
static Expected<FailureDescription> describeFailure() {
  std::vector<FailureDescription> said;
  if (errorText.getNumOccurrences())
    said.push_back({Failing::Error, errorText});
  if (crashes)
    said.push_back({Failing::Crash, ""});
  if (hangs)
    said.push_back({Failing::Hang, ""});
  if (otherFlags.getNumOccurrences())
    said.push_back({Failing::Difference, otherFlags});
  if (command.getNumOccurrences()) {
    auto found = llvm::sys::findProgramByName(command);
    if (!found)
      return makeError("there is no program '" + command + "'", "give the path of one");
    llvm::SmallString<128> path(*found);
    llvm::sys::fs::make_absolute(path);
    said.push_back({Failing::Command, path.str().str()});
  }
  if (said.size() == 1)
    return said.front();
  return makeError(said.empty() ? "how the program fails was not said"
                                : "how the program fails was said more than once",
                   "give one of --error TEXT, --crash, --hang, --differs FLAGS and --test COMMAND");
}

/// The kernel's name among the flags.
static std::string kernelName() {
  for (size_t at = 0; at < flags.size(); ++at) {
    llvm::StringRef word = flags[at];
    if (word == "--kernel" && at + 1 < flags.size())
      return flags[at + 1];
    if (word.consume_front("--kernel="))
      return word.str();
  }
  return "";
}

static size_t countLines(llvm::StringRef text) { return text.rtrim('\n').count('\n') + 1; }

static Expected<void> write(const Program &program) {
  if (output.empty()) {
    llvm::outs() << program.text;
    return {};
  }
  std::error_code error;
  llvm::raw_fd_ostream os(output, error);
  if (error)
    return makeFileError(output, "cannot be written: " + error.message(), "give another -o FILE");
  os << program.text;
  return {};
}

/// A command for a shell, in which words with other letters than these are quoted.
static std::string quoted(llvm::StringRef word) {
  const bool isPlain = !word.empty() && llvm::all_of(word, [](char letter) {
    return llvm::isAlnum(letter) || llvm::StringRef("-_=./:,+").contains(letter);
  });
  return isPlain ? word.str() : "'" + word.str() + "'";
}

static Expected<void> reduceFile() {
  auto failure = describeFailure();
  if (!failure)
    return failure.error();
  auto source = readSource(file);
  if (!source)
    return source.error();
  static int anchor;
  auto test = ToolTest::create(
      llvm::sys::fs::getMainExecutable("tilewright", &anchor), llvm::sys::path::filename(file),
      std::vector<std::string>(flags.begin(), flags.end()), *failure, secondsEach);
  if (!test)
    return test.error();
  const Program whole{source->text, test->signature()};
  if (!test->holds(whole))
    return makeFileError(file, "the program does not fail in this way",
                         "try the command by hand, or say otherwise how it fails");
  const auto begin = std::chrono::steady_clock::now();
  Reducer reducer([&](const Program &program) { return test->holds(program); },
                  begin + std::chrono::seconds(secondsInAll));
  const bool isPython = llvm::StringRef(file).ends_with(".py");
  const Program least = reducer.reduce(whole, isPython ? pythonEdits(kernelName()) : irEdits());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  llvm::errs() << llvm::formatv("{0} lines became {1}; {2} programs tried in {3:f1} s{4}\n",
                                countLines(whole.text), countLines(least.text), reducer.testCount(),
                                took.count(), reducer.ranOutOfTime() ? ", the time is over" : "");
  if (least.signature != whole.signature) {
    llvm::errs() << "flags:";
    for (const std::string &word : test->flagsFor(least))
      llvm::errs() << ' ' << quoted(word);
    llvm::errs() << '\n';
  }
  return write(least);
}

int cli::runReduceCommand() {
  if (Expected<void> done = reduceFile(); !done)
    return report(done.error());
  return 0;
}
