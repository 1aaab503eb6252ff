//===- Resources.h - Registers and memory of a loop -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One model for all who ask whether a loop has room for something while tensors still are tensors:
// for a load an iteration early, a buffer more, an operand that stays in registers. What a value
// takes is in RegisterPressure.h, what the blocks of a multiprocessor share in target/Residency.h,
// and what a back end will allocate to a whole kernel in RegisterEstimate.h.
//
// Registers have 32 bits and are counted for one thread.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_RESOURCES_H
#define TILEWRIGHT_ANALYSIS_RESOURCES_H

#include "analysis/AxisInfo.h"
#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"

namespace tilewright::transform {

//===----------------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------------===//

/// The registers of a thread in a loop, by what they hold. Who asks fills in what matters to it.
struct LoopRegisters {
  /// Counters, bounds, masks, and addresses that are not counted one by one.
  unsigned base = 0;
  /// Values that an iteration hands to the next: sums, and tiles that come an iteration early.
  unsigned carried = 0;
  /// Addresses that an iteration hands to the next.
  unsigned addresses = 0;
  /// Operands of the largest product, and its result if that is not carried.
  unsigned product = 0;
  /// Tiles that are being loaded.
  unsigned loads = 0;
  /// Tensors that earlier loops gave and the loop only keeps (WaitingValues.h).
  unsigned waiting = 0;

  unsigned total() const { return base + carried + addresses + product + loads + waiting; }
};

/// Carried values that are no addresses.
unsigned countCarriedRegisters(mlir::scf::ForOp loop);

/// Carried addresses, two registers for each access of a thread: an access takes elements that are
/// neighbors in the thread and in memory.
unsigned countAddressRegisters(mlir::scf::ForOp loop, const AxisInfoAnalysis &axes);

/// The largest product of matrix units in the body. Of an operand that is converted to its layout
/// in the loop, or for which `isInMemory` holds, the registers of one step of K are counted: it
/// comes from shared memory as it is wanted. Of others, all are.
unsigned countProductRegisters(mlir::scf::ForOp loop, const target::Target &target,
                               llvm::function_ref<bool(ttg::ConvertLayoutOp)> isInMemory);

/// The values that loads of pointers in the body give.
unsigned countLoadRegisters(mlir::scf::ForOp loop);

/// Values that the loop only keeps.
unsigned countWaitingRegisters(mlir::scf::ForOp loop);

//===----------------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------------===//

/// The bytes of shared memory that `loop` may use beside what is allocated at the time, and what
/// ops of its body need, those in `replaced` aside.
uint64_t getFreeSharedBytes(mlir::scf::ForOp loop, const target::Target &target,
                            const llvm::SmallPtrSetImpl<mlir::Operation *> &replaced);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_RESOURCES_H
