//===- Pipeline.h - The passes, in phases ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One pipeline for all targets. Its nine phases (vendor::Phase) make the three texts that a
// compilation writes; at the end of each phase the target's vendor adds passes of its own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_PIPELINE_H
#define TILEWRIGHT_COMPILER_PIPELINE_H

#include "vendor/Vendor.h"

namespace tilewright::compiler {

using vendor::PipelineOptions;

/// tt -> tt: the phase Tile. `vendor` is that of options.target, null where this build has none:
/// then there are no passes of its own.
void addTTIRPasses(mlir::OpPassManager &passes, const vendor::Vendor *vendor,
                   const PipelineOptions &options);

/// tt -> ttg: the phases Layout, Locality, Stages, Schedule and Clean.
void addTTGIRPasses(mlir::OpPassManager &passes, const vendor::Vendor *vendor,
                    const PipelineOptions &options);

/// ttg -> ttg, of a kernel of Gluon, instead of the two above: the phases Inline and Layout. No
/// layout changes that the kernel has chosen.
void addGluonPasses(mlir::OpPassManager &passes, const vendor::Vendor *vendor,
                    const PipelineOptions &options);

/// ttg -> LLVM dialect with the vendor's ops: the phases Launch and Lower.
void addLLVMPasses(mlir::OpPassManager &passes, const vendor::Vendor *vendor,
                   const PipelineOptions &options);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_PIPELINE_H
