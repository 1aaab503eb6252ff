//===- ToolTest.cpp - Whether a program fails in another process --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/ToolTest.h"

#include "reduce/PythonTree.h"
#include "reduce/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::reduce;

Expected<ToolTest> ToolTest::create(std::string tool, llvm::StringRef fileName,
                                    std::vector<std::string> flags, FailureDescription failure,
                                    unsigned seconds) {
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("tilewright-reduce", folder))
    return makeError("no folder for the programs that are tried: " + error.message(),
                     "set TMPDIR to a folder that can be written");
  ToolTest test;
  test.tool = std::move(tool);
  test.folder = folder.str();
  llvm::sys::path::append(folder, fileName);
  test.file = folder.str();
  test.flags = std::move(flags);
  test.failure = std::move(failure);
  test.seconds = seconds;
  return test;
}

ToolTest::~ToolTest() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

//===--------------------------------------------------------------------------===//
// Flags
//===--------------------------------------------------------------------------===//

/// The value of a flag at `at`, which may be in the next word; null where it is another flag.
static std::string *findValue(std::vector<std::string> &flags, size_t at, llvm::StringRef name,
                              size_t &begin) {
  llvm::StringRef word = flags[at];
  if (!word.consume_front("--"))
    word.consume_front("-");
  if (!word.consume_front(name))
    return nullptr;
  if (word.empty() && at + 1 < flags.size()) {
    begin = 0;
    return &flags[at + 1];
  }
  if (!word.starts_with("="))
    return nullptr;
  begin = flags[at].size() - word.size() + 1;
  return &flags[at];
}

static std::optional<std::string> valueOf(std::vector<std::string> flags, llvm::StringRef name) {
  for (size_t at = 0; at < flags.size(); ++at)
    if (size_t begin = 0; std::string *value = findValue(flags, at, name, begin))
      return value->substr(begin);
  return std::nullopt;
}

std::vector<std::string> ToolTest::signature() const {
  return splitSignature(valueOf(flags, "signature").value_or(""));
}

/// Removes each --arg for which the kernel of a Python source has no parameter.
static void dropArguments(std::vector<std::string> &flags, const Program &program) {
  std::optional<PythonTree> tree = PythonTree::parse(program.text);
  const frontend::FunctionDefStmt *kernel =
      tree ? tree->findKernel(valueOf(flags, "kernel").value_or("")) : nullptr;
  if (!kernel)
    return;
  for (size_t at = 0; at < flags.size();) {
    size_t begin = 0;
    const std::string *value = findValue(flags, at, "arg", begin);
    llvm::StringRef name;
    if (value)
      name = llvm::StringRef(*value).drop_front(begin).split('=').first;
    if (!value || llvm::any_of(kernel->parameters.positional, [&](const auto &parameter) {
          return llvm::StringRef(parameter.name) == name;
        })) {
      ++at;
      continue;
    }
    flags.erase(flags.begin() + at, flags.begin() + at + (begin == 0 ? 2 : 1));
  }
}

std::vector<std::string> ToolTest::flagsFor(const Program &program) const {
  std::vector<std::string> result = flags;
  if (!program.signature.empty())
    dropArguments(result, program);
  for (size_t at = 0; at < result.size(); ++at)
    if (size_t begin = 0; std::string *value = findValue(result, at, "signature", begin))
      *value = value->substr(0, begin) + llvm::join(program.signature, ", ");
  return result;
}

/// `flags` without those that `others` give, and `others`.
static std::vector<std::string> overridden(std::vector<std::string> flags,
                                           const std::vector<std::string> &others) {
  for (llvm::StringRef other : others) {
    llvm::StringRef name = other.split('=').first;
    if (!name.starts_with("-"))
      continue;
    for (size_t at = 0; at < flags.size();) {
      if (llvm::StringRef(flags[at]).split('=').first != name) {
        ++at;
        continue;
      }
      const bool isPair = flags[at] == name && at + 1 < flags.size() &&
                          !llvm::StringRef(flags[at + 1]).starts_with("--");
      flags.erase(flags.begin() + at, flags.begin() + at + (isPair ? 2 : 1));
    }
  }
  llvm::append_range(flags, others);
  return flags;
}

static bool runsKernels(const std::vector<std::string> &flags) {
  return valueOf(flags, "arg") || valueOf(flags, "grid");
}

//===--------------------------------------------------------------------------===//
// Processes
//===--------------------------------------------------------------------------===//

ToolTest::Outcome ToolTest::execute(std::vector<std::string> command) const {
  // A process writes over what is in the file, and leaves the rest.
  const std::string output = folder + "/.output";
  llvm::sys::fs::remove(output);
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(output),
                                                      llvm::StringRef(output)};
  std::string complaint;
  Outcome outcome;
  outcome.code = llvm::sys::ExecuteAndWait(command.front(), words, std::nullopt, redirects, seconds,
                                           /*MemoryLimit=*/0, &complaint);
  outcome.timedOut = outcome.code == -2 && llvm::StringRef(complaint).contains("timed out");
  if (auto text = llvm::MemoryBuffer::getFile(output))
    outcome.message = (*text)->getBuffer();
  return outcome;
}

ToolTest::Outcome ToolTest::compileOrRun(const std::vector<std::string> &use,
                                         const std::vector<std::string> &more) const {
  const bool runs = runsKernels(use);
  std::vector<std::string> command = {tool, runs ? "run" : "compile", file};
  llvm::append_range(command, use);
  command.push_back("--no-cache");
  if (!runs)
    llvm::append_values(command, "-o", folder + "/.out");
  llvm::append_range(command, more);
  return execute(command);
}

std::optional<std::string> ToolTest::arraysAfter(const std::vector<std::string> &use) const {
  std::vector<std::string> names, saves;
  std::vector<std::string> words = use;
  for (size_t at = 0; at < words.size(); ++at) {
    size_t begin = 0;
    std::string *value = findValue(words, at, "arg", begin);
    if (!value)
      continue;
    auto [name, what] = llvm::StringRef(*value).drop_front(begin).split('=');
    // A number is no array.
    if (double number = 0; what.getAsDouble(number))
      names.push_back(name.str());
  }
  for (const std::string &name : names)
    llvm::append_values(saves, "--save", name + "=" + folder + "/." + name + ".npy");
  if (compileOrRun(use, saves).code != 0)
    return std::nullopt;
  std::string arrays;
  for (const std::string &name : names)
    if (auto content = llvm::MemoryBuffer::getFile(folder + "/." + name + ".npy"))
      arrays += (*content)->getBuffer();
  return arrays;
}

bool ToolTest::differs(const std::vector<std::string> &use) const {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(failure.text).split(words, ' ', -1, /*KeepEmpty=*/false);
  const std::optional<std::string> one = arraysAfter(use);
  if (!one)
    return false;
  const std::optional<std::string> other =
      arraysAfter(overridden(use, std::vector<std::string>(words.begin(), words.end())));
  return other && *one != *other;
}

bool ToolTest::holds(const Program &program) const {
  std::error_code error;
  {
    llvm::raw_fd_ostream os(file, error);
    os << program.text;
  }
  if (error)
    return false;
  const std::vector<std::string> use = flagsFor(program);
  switch (failure.kind) {
  case Failing::Command: {
    std::vector<std::string> command = {failure.text, file};
    llvm::append_range(command, use);
    return execute(command).code == 0;
  }
  case Failing::Error: {
    const Outcome outcome = compileOrRun(use, {});
    return outcome.code == 1 && llvm::StringRef(outcome.message).contains(failure.text);
  }
  case Failing::Crash: {
    const Outcome outcome = compileOrRun(use, {});
    return !outcome.timedOut && outcome.code != 0 && outcome.code != 1;
  }
  case Failing::Hang:
    return compileOrRun(use, {}).timedOut;
  case Failing::Difference:
    return differs(use);
  }
  return false;
}
