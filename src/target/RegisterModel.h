//===- RegisterModel.h - Registers that a back end allocates --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_REGISTERMODEL_H
#define TILEWRIGHT_TARGET_REGISTERMODEL_H

namespace tilewright::target {

/// The registers that a back end allocates to a thread for one that the kernel's tensors take, in
/// percent, by what it holds (analysis/RegisterEstimate.h).
struct RegisterWeights {
  /// Registers that every kernel has: identifiers of threads, counters, temporary values.
  unsigned base = 12;
  unsigned values = 100;
  unsigned products = 100;
  unsigned addresses = 50;
  unsigned indices = 50;
  unsigned masks = 0;
  unsigned scalars = 50;
  /// For each op of the kernel: the more it computes, the more values are under way.
  unsigned operations = 10;

  /// A back end that tries to have more blocks resident orders instructions so that it comes down
  /// to the registers with which one more is, if it needs no more than so many percent of these;
  /// and the second, to those with which all warps are. 100: it does not try.
  unsigned blockSlack = 100;
  unsigned fullSlack = 100;
};

struct RegisterModel {
  /// For kernels without and with products of matrix units.
  RegisterWeights plain = {}, product = {};

  /// Registers of a loop for all that LoopRegisters (analysis/Resources.h) does not count: of one
  /// with products on matrix units, addresses, masks and counters; of one without, whose addresses
  /// are counted, counters and bounds.
  unsigned uncountedWithProducts = 36;
  unsigned uncounted = 8;
};

/// For targets whose back ends do not say what they allocate.
inline constexpr RegisterModel UnfittedRegisters = {};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_REGISTERMODEL_H
