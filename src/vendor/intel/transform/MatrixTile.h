//===- MatrixTile.h - Rectangles of matrices that ops access --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile of pointers as a rectangle of a matrix: where the matrix begins, how long its rows are and
// how far apart, where the rectangle begins. A mask's bounds are the matrix's. Along a dimension
// without bounds the matrix ends where the tile of a loop's last iteration does, and what does not
// change in the loop belongs to its beginning.
//
// A tile of three dimensions is one such rectangle of each of several matrices, slices of a tensor
// that are equally far apart. All of them are in bounds, or none is accessed by messages.
//
// Messages begin at multiples of 64 bytes: the matrix begins there, and the tile some columns
// later.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_TRANSFORM_MATRIXTILE_H
#define TILEWRIGHT_VENDOR_INTEL_TRANSFORM_MATRIXTILE_H

#include "analysis/TileForm.h"
#include "target/Target.h"
#include "tilewright/Expected.h"

namespace tilewright::vendor::intel {

/// A rule of surfaces, as a user is told of it.
struct SurfaceRule {
  /// How it is broken; what to do about that.
  const char *broken, *remedy;
};

/// A condition of a surface that is not known: that a number is not negative, or a multiple of a
/// power of two.
struct SurfaceCondition {
  transform::Polynomial value;
  /// 0: not negative.
  int64_t divisor = 0;
  SurfaceRule rule = {};
};

/// In elements, and as polynomials of the iteration of `loop`.
struct MatrixTile {
  mlir::Value base;
  transform::Polynomial baseOffset, row, column, height, width, pitch;
  /// From one slice to the next, where the tile has three dimensions.
  transform::Polynomial slicePitch;
  bool columnMajor = false;
  /// The loop that the access stands in, before which all but the iteration's number is known; null
  /// if there is none.
  mlir::scf::ForOp loop;
  /// Whether the matrix is known to begin at a multiple of 64 bytes.
  bool isAligned = false;
  /// Conditions that hold in all iterations of the loop, if they hold.
  llvm::SmallVector<SurfaceCondition> conditions;
};

/// Finds rectangles in a function.
class MatrixTiles {
public:
  /// `target` has block messages.
  MatrixTiles(const target::Target &target, const transform::AxisInfoAnalysis &axes)
      : target(target), axes(axes), symbols(axes) {}

  /// That of `pointers`, a tensor of two dimensions or three, with `mask` or null, which `op`
  /// accesses by messages with elements of `messageBytes`. An error that says why it is none, or
  /// which rule of surfaces it breaks. What conditions speak of is computed before `op`, or before
  /// its loop.
  Expected<MatrixTile> find(mlir::Operation *op, mlir::Value pointers, mlir::Value mask,
                            unsigned messageBytes);

  /// Whether the columns of `pointers`, of two dimensions or three, are contiguous, and its rows
  /// are not known to be.
  bool hasContiguousColumns(mlir::Value pointers);

  transform::ScalarSymbols &getSymbols() { return symbols; }

private:
  const target::Target &target;
  const transform::AxisInfoAnalysis &axes;
  transform::ScalarSymbols symbols;
};

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_TRANSFORM_MATRIXTILE_H
