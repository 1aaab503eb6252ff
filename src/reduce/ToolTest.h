//===- ToolTest.h - Whether a program fails in another process ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A program is written to a file of the name that it had, in a folder of its own, and a process
// is started for it: a crash or an endless loop there is an answer.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_TOOLTEST_H
#define TILEWRIGHT_REDUCE_TOOLTEST_H

#include "reduce/Edits.h"
#include "tilewright/Expected.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::reduce {

/// How a program fails.
enum class Failing : uint8_t {
  /// `text`, a command, ends with 0 when it is given the file and the flags.
  Command,
  /// The compiler, or the run, ends with 1 and a message that contains `text`.
  Error,
  /// The process dies, or ends with another code than 0 and 1.
  Crash,
  /// The process takes longer than it may.
  Hang,
  /// The arrays after a run are not those of a run with the flags in `text`.
  Difference,
};

struct FailureDescription {
  Failing kind;
  std::string text;
};

class ToolTest {
public:
  /// `tool`: the path of this program. `fileName`: without its folder. `flags`: of
  /// `tilewright compile`, or of `run` where there is an --arg or a --grid. `seconds`: what one
  /// process may take. Errors: no folder can be made.
  static Expected<ToolTest> create(std::string tool, llvm::StringRef fileName,
                                   std::vector<std::string> flags, FailureDescription failure,
                                   unsigned seconds);
  ToolTest(ToolTest &&) noexcept = default;
  ToolTest &operator=(ToolTest &&) = delete;
  /// Removes the folder.
  ~ToolTest();

  bool holds(const Program &program) const;
  /// The entries of --signature among the flags.
  std::vector<std::string> signature() const;
  /// The flags with the signature of `program`, and with an --arg for parameters that it has.
  std::vector<std::string> flagsFor(const Program &program) const;

private:
  struct Outcome {
    int code = 0;
    bool timedOut = false;
    std::string message;
  };

  ToolTest() = default;
  Outcome execute(std::vector<std::string> command) const;
  Outcome compileOrRun(const std::vector<std::string> &flags,
                       const std::vector<std::string> &more) const;
  /// The arrays after a run, one after the other; nothing where the run fails.
  std::optional<std::string> arraysAfter(const std::vector<std::string> &flags) const;
  bool differs(const std::vector<std::string> &flags) const;

  std::string tool, folder, file;
  std::vector<std::string> flags;
  FailureDescription failure;
  unsigned seconds = 0;
};

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_TOOLTEST_H
