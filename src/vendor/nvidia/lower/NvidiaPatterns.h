//===- NvidiaPatterns.h - Patterns of NVIDIA alone ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::nvidia {

/// All of them: the groups of asynchronous copies (cp.async), launches that overlap
/// (griddepcontrol), and those below where `target` has what they are for.
void populatePatterns(const target::Target &target, mlir::RewritePatternSet &patterns,
                      const PatternServices &services);

/// Bytes to half precision, two at a time and without instructions for conversions.
void addIntegerCastPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
/// Barriers in shared memory (mbarrier) and fences between proxies: from sm_90 on.
void addPhaseBarrierPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
/// Copies by the tensor memory accelerator; the maps that they take, and the memory in which these
/// are made: from sm_90 on.
void addTensorCopyPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
void addTensorMapPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
void registerTensorMapScratch(mlir::DialectRegistry &registry);
/// Work that blocks of a cluster do together, and the memory that it takes: from sm_90 on.
void addClusterPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
void registerClusterScratch(mlir::DialectRegistry &registry);
/// Ops on tensor memory, and barriers for it; products in it: where the target has it.
void addTensorMemoryPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);
void registerTensorMemoryScratch(mlir::DialectRegistry &registry);
void addTensorProductPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H
