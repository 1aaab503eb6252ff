//===- RegionPatterns.h - Patterns of ops that give elements their own way -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_REGIONPATTERNS_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_REGIONPATTERNS_H

#include "lower/core/Patterns.h"

namespace tilewright::lower {

/// tt.map_elementwise: its region for each group of elements.
void addMapElementwisePattern(mlir::RewritePatternSet &patterns,
                              const mlir::TypeConverter &converter, LoweringContext &context,
                              const ScalarOps &scalarOps);

/// ttg.fp4_to_fp: two numbers of each byte.
void addFp4Pattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                   LoweringContext &context);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_REGIONPATTERNS_H
