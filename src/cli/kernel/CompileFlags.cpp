//===- CompileFlags.cpp - The flags of a compilation --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/CompileFlags.h"

#include "tilewright/Cache.h"

#include "llvm/ADT/StringRef.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

namespace {

/// Enters an option in the commands that take it.
struct InCommands {
  bool isOfTune;

  void apply(cl::Option &option) const {
    option.addSubCommand(compileCommand);
    option.addSubCommand(runCommand);
    option.addSubCommand(reportCommand);
    if (isOfTune)
      option.addSubCommand(tuneCommand);
  }
};
constexpr InCommands allCommands{true}, compileAndRun{false};

//===--------------------------------------------------------------------------===//
// The flags of the table
//===--------------------------------------------------------------------------===//

std::string textOf(int number) { return std::to_string(number); }
std::string textOf(std::string_view text) { return std::string(text); }
template <typename T> std::string textOf(const T &) { return ""; }

/// The help text of a row, with its initial value.
template <typename Row> std::string helpOf(const Row &row) {
  auto [before, after] = llvm::StringRef(row.help).split("{}");
  return before.size() == row.help.size() ? before.str()
                                          : (before + textOf(row.initial) + after).str();
}

/// The flag of a row.
class Flag {
public:
  virtual ~Flag() = default;
  virtual Expected<void> check() const { return {}; }
  virtual void put(CompileOptions &options) const = 0;
};

/// `Option` reads the value: a cl::opt, or a cl::list.
template <typename Row, typename Option> class FlagOf : public Flag {
public:
  template <typename... Modifiers>
  explicit FlagOf(const Row &row, const Modifiers &...modifiers)
      : row(row), help(helpOf(row)),
        option(llvm::StringRef(row.flag), cl::value_desc(row.placeholder), cl::desc(help),
               InCommands{row.readers.tune}, modifiers...) {}

protected:
  const Row row;
  const std::string help;
  Option option;
};

/// A flag whose value is the option's.
template <typename Row, typename T> class ValueFlag : public FlagOf<Row, cl::opt<T>> {
public:
  using FlagOf<Row, cl::opt<T>>::FlagOf;
  void put(CompileOptions &options) const override {
    if (this->option.getNumOccurrences())
      this->row.of(options) = this->option.getValue();
  }
};

template <typename Row> class ListFlag : public FlagOf<Row, cl::list<std::string>> {
public:
  using FlagOf<Row, cl::list<std::string>>::FlagOf;
  void put(CompileOptions &options) const override {
    this->row.of(options).assign(this->option.begin(), this->option.end());
  }
};

/// A switch with a word for false and one for true. They are texts, so that a third one is an error
/// of ours.
template <typename Row> class WordFlag : public FlagOf<Row, cl::opt<std::string>> {
public:
  explicit WordFlag(const Row &row) : FlagOf<Row, cl::opt<std::string>>(row) {
    std::tie(no, yes) = llvm::StringRef(row.placeholder).split('|');
  }
  Expected<void> check() const override {
    const llvm::StringRef word = this->option.getValue();
    if (!this->option.getNumOccurrences() || word == no || word == yes)
      return {};
    const std::string flag = "--" + std::string(this->row.flag) + " ";
    return makeError("there is no " + flag + "'" + word.str() + "'",
                     "give " + flag + no.str() + ", or " + flag + yes.str());
  }
  void put(CompileOptions &options) const override {
    if (this->option.getNumOccurrences())
      this->row.of(options) = this->option.getValue() == yes;
  }

private:
  llvm::StringRef no, yes;
};

template <typename Row> std::unique_ptr<Flag> makeFlag(const Row &row) {
  using Type = typename Row::Type;
  if constexpr (std::is_same_v<Type, option_types::Texts>) {
    return std::make_unique<ListFlag<Row>>(row);
  } else if constexpr (std::is_same_v<Type, option_types::Switch>) {
    if (!row.placeholder.empty())
      return std::make_unique<WordFlag<Row>>(row);
    return std::make_unique<ValueFlag<Row, bool>>(row);
  } else if constexpr (std::is_convertible_v<typename Type::Initial, int>) {
    return std::make_unique<ValueFlag<Row, int>>(row);
  } else {
    return std::make_unique<ValueFlag<Row, std::string>>(row);
  }
}

std::vector<std::unique_ptr<Flag>> makeFlags() {
  std::vector<std::unique_ptr<Flag>> flags;
  forEachOption([&](const auto &row) { flags.push_back(makeFlag(row)); });
  return flags;
}

} // namespace

static const std::vector<std::unique_ptr<Flag>> flags = makeFlags();

//===--------------------------------------------------------------------------===//
// The others
//===--------------------------------------------------------------------------===//

static cl::opt<std::string> file(cl::Positional, cl::desc("FILE"), allCommands);
static cl::opt<bool>
    wantsRemarksOption("remarks",
                       cl::desc("Print remarks: how parts of the kernel were compiled, where "
                                "another way may be quicker, with the reason and the remedy"),
                       compileAndRun);
static cl::opt<bool> wantsStageTimes("time", cl::desc("Print the time of each stage as JSON"),
                                     compileAndRun);
static cl::opt<bool> noCache("no-cache",
                             cl::desc("Compile even what the cache has (`tilewright cache` tells "
                                      "of it), and keep nothing there"),
                             compileAndRun);

const std::string &CompileFlags::file() { return ::file.getValue(); }
bool CompileFlags::wantsTimes() { return wantsStageTimes; }
bool CompileFlags::wantsRemarks() { return wantsRemarksOption; }

Expected<void> CompileFlags::check() {
  for (const std::unique_ptr<Flag> &flag : flags)
    if (Expected<void> checked = flag->check(); !checked)
      return checked.error();
  return {};
}

CompileOptions CompileFlags::options() {
  CompileOptions options;
  for (const std::unique_ptr<Flag> &flag : flags)
    flag->put(options);
  return options;
}

/// Whether the user gave an option of LLVM's, which no key of the cache has in it.
static bool hasForeignOptions() {
  for (const auto &option : cl::getRegisteredOptions(cl::SubCommand::getTopLevel()))
    if (option.second->getNumOccurrences())
      return true;
  return false;
}

Expected<std::shared_ptr<Cache>> CompileFlags::findCache() {
  if (noCache || wantsTimes() || hasForeignOptions())
    return std::shared_ptr<Cache>();
  return Cache::openForUser();
}
