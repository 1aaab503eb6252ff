//===- Patterns.h - The families of patterns of cooperative matrices -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COOPMATRIX_PATTERNS_H
#define TILEWRIGHT_LOWER_COOPMATRIX_PATTERNS_H

#include "lower/core/Patterns.h"

namespace tilewright::lower {

void addCoopMatrixAccessPatterns(mlir::RewritePatternSet &patterns,
                                 const mlir::TypeConverter &converter, LoweringContext &context);
void addCoopMatrixComponentPatterns(mlir::RewritePatternSet &patterns,
                                    const mlir::TypeConverter &converter, LoweringContext &context);
void addCoopMatrixPrefetchPattern(mlir::RewritePatternSet &patterns,
                                  const mlir::TypeConverter &converter, LoweringContext &context);
void addCoopMatrixProductPattern(mlir::RewritePatternSet &patterns,
                                 const mlir::TypeConverter &converter, LoweringContext &context);
void addCoopMatrixReducePattern(mlir::RewritePatternSet &patterns,
                                const mlir::TypeConverter &converter, LoweringContext &context);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COOPMATRIX_PATTERNS_H
