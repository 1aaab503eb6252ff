//===- BlockInstructions.h - 2D block messages as instructions ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of vendor/intel/plan/BlockFunctions.h are named for their messages. With the
// extension SPV_INTEL_2d_block_io a message is an instruction, such as
//
//     OpSubgroup2DBlockLoadTransformINTEL  element bytes, width, height, blocks,
//                                          base, width, height, pitch, coordinate, values
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_BLOCKINSTRUCTIONS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_BLOCKINSTRUCTIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Calls the functions as the back end knows the instructions.
void useBlockInstructions(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_BLOCKINSTRUCTIONS_H
