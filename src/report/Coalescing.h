//===- Coalescing.h - Sectors that accesses of a warp touch ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_COALESCING_H
#define TILEWRIGHT_REPORT_COALESCING_H

#include "analysis/AxisInfo.h"
#include "tilewright/layout/LinearLayout.h"

namespace tilewright::report {

/// One access of the first warp to global memory, all lanes active.
struct WarpAccess {
  /// Elements that each lane takes.
  unsigned elements = 1;
  /// Different bytes that the lanes ask for.
  uint64_t bytes = 0;
  /// Sectors that hold these bytes, and the fewest that could.
  uint64_t sectors = 1, leastSectors = 1;

  friend bool operator==(const WarpAccess &, const WarpAccess &) = default;
};

/// What is known of the access of a tensor in `layout`, (register, lane, warp, block) -> (dim0,
/// ..), whose addresses have the facts `address`: an estimate from below, as runs of neighbours are
/// taken to begin at a sector, and different runs to have no sector in common. `elements`: those of
/// a lane's access, along `dim`. Sizes are in bytes.
WarpAccess describeWarpAccess(const layout::LinearLayout &layout,
                              const transform::AxisInfo &address, unsigned dim, unsigned elements,
                              unsigned elementBytes, unsigned sectorBytes);

/// The most elements along `dim` that a thread has side by side in `layout`.
unsigned countNeighbours(const layout::LinearLayout &layout, unsigned dim);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_COALESCING_H
