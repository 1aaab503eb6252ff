//===- WarpSpecialize.h - Groups of warps in a kernel ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The warps of a block are divided where a kernel begins. Those of the default group run the
// kernel's body. The others, the workers, wait in a loop: at each ttg.warp_specialize the default
// group leaves them a number that says which it is, and the captured values, in shared memory; all
// warps meet; each worker runs the partition that it has a part in, if any; and all meet again.
// Where the kernel ends, the number says so.
//
//   kernel:    is this warp of the default group?  yes: body   no: workers
//   body:      ..  thread 0: number, captures;  all meet;  default region;  all meet;  ..
//              thread 0: "end";  all meet;  return
//   workers:   all meet;  load the number;  end: return
//              else the partition of this warp, with the captures;  all meet;  workers
//
// All others see after a meeting what a group wrote before it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_WARPSPECIALIZE_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_WARPSPECIALIZE_H

#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"

namespace tilewright::lower {

/// The number of the barrier at which the warps of `group` meet, and of that of all warps, in
/// kernels whose warps are divided.
unsigned getBarrierId(const ttg::ThreadGroup &group);
inline constexpr unsigned allWarpsBarrierId = 1;

/// Bytes of shared memory through which `op` hands its number and its captures to the workers. All
/// such ops of a kernel have the same place, as ttg::allocationOffsetAttrName says.
uint64_t getDispatchBytes(ttg::WarpSpecializeOp op);

/// Converts the types of ttg.warp_specialize and of what belongs to it, which are legal then: their
/// regions have to stand until all in them is lowered, as they say which warps run it.
void addWarpSpecializePatterns(mlir::RewritePatternSet &patterns, mlir::ConversionTarget &legality,
                               const mlir::TypeConverter &converter, LoweringContext &context);

/// Divides the warps of a lowered kernel among its ttg.warp_specialize, none of which is left.
void divideWarps(mlir::LLVM::LLVMFuncOp kernel, const LoweringContext &context);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_WARPSPECIALIZE_H
