//===- CuteNotation.h - Layouts in CuTe's shape:stride notation -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// CuTe, NVIDIA's layout library, writes a layout as nested shapes and strides: (4,8):(1,4) takes
// (i, j) to 1 i + 4 j. Sizes in one bracket are digits of one number, the first the lowest.
//
// Strides add where our maps take XOR. The two agree as long as nothing carries: a map has a
// notation exactly if no two of its bases have a bit in common. Bits of one dimension whose
// strides double are one size; so the accumulator of mma.sync on a 16x8 tile, whose lanes have
// the bases (0,2), (0,4), (1,0), (2,0), (4,0) and whose registers (0,1), (8,0), is
//
//     ((4,8),(2,2)):((32,1),(16,8))
//
// XOR itself comes in CuTe as Swizzle<B,M,S>: B bits of the number, from bit M + S on, are
// added by XOR to those from bit M on.
//
// Source: the CuTe documentation in NVIDIA's CUTLASS, "CuTe Layouts" and "CuTe TV layouts".
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_CUTENOTATION_H
#define TILEWRIGHT_VIEW_CUTENOTATION_H

#include "layout/encoding/CooperativeMatrix.h"
#include "tilewright/layout/LinearLayout.h"
#include "view/Namespaces.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tilewright::view {

/// A distributed layout as a thread-value layout: (thread of the block, register) to the
/// element's number in column-major order, the first dimension of the tensor the fastest. With
/// several blocks: (thread, register, block). Fails, saying why, where there is no notation.
Result<std::string> cuteNotation(const LinearLayout &distributed);

/// The same for (lane, component); padding has numbers past the last column.
std::string cuteNotation(const CooperativeMatrix &matrix);

/// A layout of shared memory as CuTe has it, the other way round: coordinates of the tensor to
/// an offset, perhaps swizzled. With several blocks, a block's offsets come after those of the
/// block before it. `offsetOf`, if given, is as for OffsetTable::of, and additive:
/// offsetOf(a + b) = offsetOf(a) + offsetOf(b) where a and b have no bit in common.
Result<std::string> cuteSharedNotation(const LinearLayout &shared,
                                       const std::function<uint64_t(uint64_t)> &offsetOf = {});

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_CUTENOTATION_H
