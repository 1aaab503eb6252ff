//===- LaunchGrid.h - The blocks of a launch ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The one place in which programs become blocks: all launchers ask it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHGRID_H
#define TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHGRID_H

#include "tilewright/Runtime.h"

namespace tilewright::runtime {

/// The most blocks that a device takes along x, y and z. By default the limits of CUDA (CUDA C++
/// Programming Guide, table of compute capabilities), which hold on every device here.
struct GridLimits {
  uint32_t x = 0x7fffffff, y = 0xffff, z = 0xffff;
};

/// The demands on a device of a launch of some programs of a kernel.
struct LaunchGrid {
  /// The programs, and the blocks that run them: each program is run by a cluster along x.
  Grid programs, blocks;
  unsigned clusterBlocks = 1;
  /// Global memory that the launch sets aside for all blocks together.
  size_t scratchBytes = 0;
};

/// The launch of `programs` of a kernel on a device with these limits. Errors: an empty grid, one
/// that is too large for the device.
Expected<LaunchGrid> gridFor(const KernelMetadata &kernel, Grid programs, GridLimits limits = {});

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHGRID_H
