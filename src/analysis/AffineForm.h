//===- AffineForm.h - Integers as affine functions of a loop's index -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     scale * iv + sum of coefficient * number + an integer from low to high
//
// where the numbers are scalars computed outside of the loop. Each element of a tensor of this form
// has an integer of that interval of its own. For the columns of a tile, `iv + arange(0, 64)`:
// scale 1, no numbers, from 0 to 63.
//
// The form is of integers without limits. The elements are what is left of it in their number of
// bits; sums and products may have wrapped around on the way.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_AFFINEFORM_H
#define TILEWRIGHT_ANALYSIS_AFFINEFORM_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilewright::transform {

struct AffineForm {
  int64_t scale = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> numbers;
  int64_t low = 0, high = 0;

  friend bool operator==(const AffineForm &, const AffineForm &) = default;
};

/// The form of `value`, an integer of at most 32 bits or a tensor of such, in the body of `loop` or
/// above it. Nothing if it has none, or one of coefficients larger than 2^20.
std::optional<AffineForm> getAffineForm(mlir::Value value, mlir::scf::ForOp loop);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_AFFINEFORM_H
