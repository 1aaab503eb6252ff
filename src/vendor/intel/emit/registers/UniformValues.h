//===- UniformValues.h - Values uniform across lanes ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_UNIFORMVALUES_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_UNIFORMVALUES_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace tilewright::emit {

/// The values of a kernel that differ between the lanes of a sub-group, as far as operations tell:
/// the numbers of work-items, what is loaded from addresses that differ, results of atomic
/// operations and of calls, but for those that say what all lanes have in common, and what is
/// computed from such values or chosen by branches on them.
class UniformValues {
public:
  explicit UniformValues(const llvm::Function &kernel);

  /// Whether `value`, one of the kernel, is the same in all lanes.
  bool contains(const llvm::Value &value) const { return !divergent.contains(&value); }

private:
  llvm::DenseSet<const llvm::Value *> divergent;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_UNIFORMVALUES_H
