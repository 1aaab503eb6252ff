//===- GpuBarrier.h - The barrier of MLIR's dialect gpu -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Triton's IR has gpu.barrier, and nothing else of that dialect. Its text is read as ttg.barrier of
// all memory.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPS_GPUBARRIER_H
#define TILEWRIGHT_IR_TTG_OPS_GPUBARRIER_H

#include "mlir/IR/Dialect.h"

namespace tilewright::ttg {

class GpuBarrierDialect : public mlir::Dialect {
public:
  explicit GpuBarrierDialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "gpu"; }
};

} // namespace tilewright::ttg

MLIR_DECLARE_EXPLICIT_TYPE_ID(tilewright::ttg::GpuBarrierDialect)

#endif // TILEWRIGHT_IR_TTG_OPS_GPUBARRIER_H
