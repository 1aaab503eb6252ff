//===- AmdDppControl.h - Operands of DPP and ds_swizzle -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA3 Instruction Set Architecture, "DPP Instructions" (DPP_CTRL) and DS_SWIZZLE_B32.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMDDPPCONTROL_H
#define TILEWRIGHT_TARGET_AMDDPPCONTROL_H

#include <cstdint>

namespace tilewright::target::amd {

/// dpp_ctrl: the number of the pattern is added to these. Column c of a row takes from column
namespace dpp {
/// ..of its quad q: 4 * (c / 4) + (q >> 2 * (c % 4) & 3)
constexpr uint32_t quadPerm = 0x000;
/// (c - n) mod 16, n from 1 on
constexpr uint32_t rowRotateRight = 0x120;
/// 15 - c; and of each half of a row 7 - c
constexpr uint32_t rowMirror = 0x140;
constexpr uint32_t rowHalfMirror = 0x141;
/// n
constexpr uint32_t rowShare = 0x150;
/// c ^ n
constexpr uint32_t rowXmask = 0x160;
} // namespace dpp

namespace swizzle {
/// Lane l takes from ((l & andMask) | orMask) ^ xorMask.
constexpr uint32_t bitMasks(unsigned andMask, unsigned orMask, unsigned xorMask) {
  return andMask | orMask << 5 | xorMask << 10;
}
} // namespace swizzle

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMDDPPCONTROL_H
