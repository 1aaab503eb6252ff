//===- TensorMaps.h - Tensor maps that kernels make -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, 1]
//       ->
//     %maps = ttg.global_scratch_alloc                          a slot or more, of 128 bytes each
//     ttng.async_tma_store_wait {pendings = 0, read_only}       in loops, if blocks are stored
//     %map = the next slot of %maps
//     ttng.tensormap_create %map, %p, ..
//     ttng.tensormap_fenceproxy_acquire %map
//     %d = ttng.reinterpret_tensor_descriptor %map
//
// A slot may be written again when the copies that use its map are complete. Those that one
// iteration begins and waits for are when the next one makes its map: one slot does. A pipelined
// loop has copies of several iterations under way, as many as its buffers hold. There the slots
// are a ring that has one more: before a copy into a buffer begins, the one before has filled it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORMAPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORMAPS_H

#include "ir/tt/Dialect.h"

namespace tilewright::vendor::nvidia {

/// Replaces `make`, whose blocks the accelerator copies, by a map in memory of the launch. Loads of
/// pipelined loops have to be copies already, and the others loads still.
void createTensorMap(tt::MakeTensorDescOp make);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORMAPS_H
