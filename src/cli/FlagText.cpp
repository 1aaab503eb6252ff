//===- FlagText.cpp - Flags of a compilation in one text ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/FlagText.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace tilewright;
using namespace tilewright::cli;

namespace {

/// The flags of a text, one after the other.
class FlagReader {
public:
  FlagReader(const std::string &text, CompileOptions &options) : options(options) {
    llvm::StringSaver saver(memory);
    llvm::cl::TokenizeGNUCommandLine(text, saver, tokens);
  }

  Expected<void> run() {
    while (at < tokens.size())
      if (Expected<void> read = readFlag(); !read)
        return read;
    return {};
  }

private:
  Expected<void> readFlag() {
    llvm::StringRef token = tokens[at++];
    if (!token.consume_front("--"))
      return makeError("'" + token.str() + "' is no flag",
                       "write flags as on the command line: --num-warps 8");
    auto [name, value] = token.split('=');
    hasValue = name.size() != token.size();
    bool isKnown = false;
    Expected<void> result;
    forEachOption([&](const auto &row) {
      if (llvm::StringRef(row.flag) != name)
        return;
      isKnown = true;
      result = readRow(row, value);
    });
    if (!isKnown)
      return makeError("there is no flag --" + name.str() + " of a compilation",
                       "`tilewright compile --help` lists them");
    return result;
  }

  template <typename Row> Expected<void> readRow(const Row &row, llvm::StringRef value) {
    using Type = typename Row::Type;
    constexpr bool isSwitch = std::is_same_v<Type, option_types::Switch>;
    if constexpr (isSwitch)
      if (row.placeholder.empty()) {
        row.of(options) = true;
        return {};
      }
    if (!hasValue && at == tokens.size())
      return makeError("--" + std::string(row.flag) + " needs a value",
                       "write --" + std::string(row.flag) + " " + std::string(row.placeholder));
    if (!hasValue)
      value = tokens[at++];
    if constexpr (isSwitch)
      return setWord(row, value);
    else if constexpr (std::is_same_v<Type, option_types::Texts>)
      row.of(options).push_back(value.str());
    else if constexpr (std::is_convertible_v<typename Type::Initial, int>)
      return setNumber(row, value);
    else
      row.of(options) = value.str();
    return {};
  }

  template <typename Row> Expected<void> setNumber(const Row &row, llvm::StringRef value) {
    int number = 0;
    if (value.getAsInteger(10, number))
      return makeError("--" + std::string(row.flag) + " takes a number, not '" + value.str() + "'",
                       "write --" + std::string(row.flag) + " " + std::string(row.placeholder));
    row.of(options) = number;
    return {};
  }

  template <typename Row> Expected<void> setWord(const Row &row, llvm::StringRef value) {
    auto [no, yes] = llvm::StringRef(row.placeholder).split('|');
    if (value != no && value != yes)
      return makeError("there is no --" + std::string(row.flag) + " '" + value.str() + "'",
                       "give " + no.str() + " or " + yes.str());
    row.of(options) = value == yes;
    return {};
  }

  CompileOptions &options;
  llvm::BumpPtrAllocator memory;
  llvm::SmallVector<const char *> tokens;
  size_t at = 0;
  /// Whether the token has its value after a `=`.
  bool hasValue = false;
};

} // namespace

Expected<void> cli::applyFlags(const std::string &text, CompileOptions &options) {
  return FlagReader(text, options).run();
}
