//===- CompileFlagsTest.cpp - The flags of a compilation ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/CompileFlags.h"
#include "test/support/OptionValues.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

namespace {

/// Reads a line of arguments as the command does.
bool parse(const std::vector<std::string> &arguments) {
  cl::ResetAllOptionOccurrences();
  for (cl::SubCommand *command : {&compileCommand, &runCommand, &reportCommand, &tuneCommand})
    for (auto &entry : cl::getRegisteredOptions(*command))
      entry.second->reset();
  std::vector<const char *> texts = {"tilewright"};
  for (const std::string &argument : arguments)
    texts.push_back(argument.c_str());
  return cl::ParseCommandLineOptions(int(texts.size()), texts.data(), "", &llvm::nulls());
}

// What gives an option the value that `change` does.
std::vector<std::string> flagsOf(const OptionRow &row, const std::string &) {
  return {"--" + std::string(row.flag), "other"};
}
std::vector<std::string> flagsOf(const OptionRow &row, int) {
  return {"--" + std::string(row.flag), "7"};
}
std::vector<std::string> flagsOf(const OptionRow &row, bool) {
  const std::string word(llvm::StringRef(row.placeholder).split('|').second);
  return {"--" + std::string(row.flag) + (word.empty() ? "" : "=" + word)};
}
std::vector<std::string> flagsOf(const OptionRow &row, const std::vector<std::string> &) {
  return {"--" + std::string(row.flag), "first", "--" + std::string(row.flag), "second"};
}
template <typename T>
std::vector<std::string> flagsOf(const OptionRow &row, const std::optional<T> &) {
  return flagsOf(row, T());
}

} // namespace

TEST(CompileFlags, EveryOptionHasAFlagInItsCommands) {
  forEachOption([&](const auto &row) {
    const llvm::StringRef flag(row.flag);
    EXPECT_TRUE(cl::getRegisteredOptions(compileCommand).count(flag)) << row.flag;
    EXPECT_TRUE(cl::getRegisteredOptions(runCommand).count(flag)) << row.flag;
    EXPECT_EQ(cl::getRegisteredOptions(tuneCommand).count(flag), row.readers.tune) << row.flag;
  });
}

TEST(CompileFlags, EachFlagSetsItsOptionAndNoOther) {
  forEachOption([&](const auto &row) {
    CompileOptions expected;
    test::change(row.of(expected));
    std::vector<std::string> arguments = flagsOf(row, row.of(expected));
    arguments.insert(arguments.begin(), {"compile", "file.py"});
    ASSERT_TRUE(parse(arguments)) << row.flag;
    EXPECT_TRUE(CompileFlags::check()) << row.flag;
    EXPECT_EQ(CompileFlags::options(), expected) << row.flag;
  });
}

TEST(CompileFlags, WithoutFlagsOptionsAreInitial) {
  ASSERT_TRUE(parse({"tune", "file.py"}));
  EXPECT_EQ(CompileFlags::file(), "file.py");
  EXPECT_EQ(CompileFlags::options(), CompileOptions());
}

TEST(CompileFlags, AThirdWordIsAnError) {
  ASSERT_TRUE(parse({"run", "file.py", "--launch", "half"}));
  Expected<void> checked = CompileFlags::check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "there is no --launch 'half'");
  EXPECT_EQ(checked.error().remedy, "give --launch full, or --launch plain");
}

TEST(CompileFlags, HelpNamesTheInitialValue) {
  auto helpOf = [](const char *flag) {
    return cl::getRegisteredOptions(compileCommand).lookup(flag)->HelpStr;
  };
  EXPECT_EQ(helpOf("num-stages"), "Stages of software pipelining (default 3)");
  EXPECT_EQ(helpOf("target"), "The GPU to compile for (default cuda:90, or what a .ttgir names)");
}
