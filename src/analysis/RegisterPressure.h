//===- RegisterPressure.h - Registers that values take --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Registers have 32 bits and are counted for one thread. What a thread may have follows from the
// blocks of a multiprocessor (target/Residency.h). What a back end estimates of LLVM IR, where
// values are scalars and their lives are known (vendor/intel/emit/registers/RegisterFile.h), has
// nothing in common with this but the target's table.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H
#define TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H

#include "mlir/IR/Types.h"

namespace tilewright::transform {

/// The registers of a thread for a value of `type`: 0 for what is in no register, as a view of
/// shared memory.
unsigned getRegisterCount(mlir::Type type);

/// The elements of a thread that differ: a column that lies in the layout of a matrix has copies.
unsigned getDistinctElements(mlir::Type type);

/// The registers that the elements which differ take.
unsigned getDistinctRegisters(mlir::Type type);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_REGISTERPRESSURE_H
