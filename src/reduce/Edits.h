//===- Edits.h - Changes that may make a program smaller ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_EDITS_H
#define TILEWRIGHT_REDUCE_EDITS_H

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::reduce {

/// What is reduced.
struct Program {
  /// Source or IR.
  std::string text;
  /// The entries of --signature; empty for IR.
  std::vector<std::string> signature;

  bool operator==(const Program &) const = default;
};

/// Changes of one program, each of which makes it smaller in some sense. Any set of them can be
/// asked for; those that lie inside of others have no effect then.
class Edits {
public:
  virtual ~Edits() = default;
  virtual unsigned count() const = 0;
  /// The program after the edits of these numbers, which ascend. Nothing where they give no
  /// program.
  virtual std::optional<Program> apply(llvm::ArrayRef<unsigned> chosen) const = 0;
};

/// One kind of edits: finds them in a program; null where it cannot be read.
struct EditKind {
  const char *name;
  std::function<std::unique_ptr<Edits>(const Program &)> find;
};

/// Removes whole statements first and looks into expressions last. `kernel`: the name of the kernel
/// whose parameters the signature is for; empty where the file has one kernel.
std::vector<EditKind> pythonEdits(std::string kernel);

/// Of IR that MLIR's parser reads with the dialects of TTIR and TTGIR.
std::vector<EditKind> irEdits();

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_EDITS_H
