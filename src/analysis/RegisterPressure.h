//===- RegisterPressure.h - Registers that threads need and may have -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One model for all who weigh registers while tensors still are tensors: loads made ahead
// (PrefetchLoads), loads moved over barriers (ReorderInstructions), shared memory spent to save
// barriers (AllocateSharedMemory). Registers have 32 bits and are counted for one thread.
//
// A multiprocessor has so many registers; the more threads are to be on it at a time, the fewer
// each may have. What a back end estimates of LLVM IR, where values are scalars and their lives are
// known (vendor/intel/emit/registers/RegisterFile.h), has nothing in common with this but the
// target's table.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H
#define TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H

#include "mlir/IR/Types.h"
#include "target/Target.h"

namespace tilewright::transform {

/// The registers of a thread for a value of `type`: 0 for what is in no register, as a view of
/// shared memory.
unsigned getRegisterCount(mlir::Type type);

/// The elements of a thread that differ: a column that lies in the layout of a matrix has copies.
unsigned getDistinctElements(mlir::Type type);

/// The registers that the elements which differ take.
unsigned getDistinctRegisters(mlir::Type type);

/// The registers that a thread may have if a multiprocessor is to hold `threads` threads, in warps
/// of `lanes`. Without a `target`: as on those with the fewest.
unsigned getRegisterBudget(const target::Target *target, unsigned threads, unsigned lanes);

/// How many threads a multiprocessor holds at most: a thread that does anything takes 32 registers.
unsigned getMaxResidentThreads(const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H
