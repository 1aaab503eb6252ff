//===- RegisterEstimate.h - Registers that a back end will allocate -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How many registers a thread of a kernel will have, estimated while its values still are tensors
// with layouts. The registers at an op are those of all values that are alive there:
//
//     values      data: what was loaded, computed, summed up; elements that differ, packed
//     products    the fragments of a step of K that a product reads from shared memory
//     addresses   pointers, two registers each. Elements at constant distances share one, as the
//                 columns of a row do; those at a distance that the kernel computes do not
//     indices     integers that addresses and masks are computed from, counted in the same way
//     masks       elements of masks
//     scalars     words that all threads of a block have in common, but for the kernel's arguments
//     operations  ops of the kernel, to a limit: the more it computes, the more is under way
//
// An elementwise op takes none of its own: it is computed element by element where it is wanted, so
// its result counts where it is alive at another op: a load, a product, a loop. What is computed
// for one reduction, store or conversion alone is never there as a whole. The estimate is the
// largest weighted sum, with the target's weights (target/RegisterModel.h), which
// bench/resources/calibrate.py fits to what back ends allocate; or somewhat less where one more
// block is resident with that.
//
// Groups of warps (ttg.warp_specialize) are estimated one by one: each has registers of its own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_REGISTERESTIMATE_H
#define TILEWRIGHT_ANALYSIS_REGISTERESTIMATE_H

#include "ir/ttg/Dialect.h"
#include "target/Target.h"

namespace tilewright::transform {

/// Registers of 32 bits of a thread; elements of masks.
struct RegisterTerms {
  unsigned values = 0;
  unsigned products = 0;
  unsigned addresses = 0;
  unsigned indices = 0;
  unsigned masks = 0;
  unsigned scalars = 0;
  unsigned operations = 0;
};

/// The place where a thread has the most registers of data, which a back end has to keep:
/// addresses, indices and masks are made where they are used if need be.
struct DataPeak {
  /// Those of values and products, without weights.
  unsigned registers = 0;
  mlir::Operation *place = nullptr;
  /// The value that takes most of them.
  mlir::Value largest;
};

/// The registers of a thread of one group of warps.
struct RegisterEstimate {
  /// No more than a thread may have where all of its block are resident.
  unsigned registers = 0;
  /// At the place where most are taken.
  RegisterTerms terms;
  mlir::Operation *place = nullptr;
  DataPeak data;
};

/// The estimates of the groups of warps of `kernel`, whose tensors have layouts: of all warps, or
/// of those that run the kernel first, and then of the others as they are written.
llvm::SmallVector<RegisterEstimate, 1> estimateRegisters(tt::FuncOp kernel,
                                                         const target::Target &target);

/// Calls `see` with each op of `kernel`, whose tensors have layouts, and what is alive there: the
/// more of what is alive before it and after it, by registers of data. Operations are not counted.
void forEachOp(tt::FuncOp kernel, const target::Target &target,
               llvm::function_ref<void(mlir::Operation *, const RegisterTerms &)> see);

/// The most registers of a thread of any group of the kernel.
unsigned estimateMostRegisters(tt::FuncOp kernel, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_REGISTERESTIMATE_H
