//===- ProducerRegisters.h - Registers of a producer and its block --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All warps of a block begin with as many registers. A producer (ProducerChoice.h) that is a group
// of warps gives up those that it does not need, and the block's warps take them. One that begins
// copies needs next to none; one whose threads copy has an address for each.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERREGISTERS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERREGISTERS_H

#include "ir/ttg/Dialect.h"
#include "target/RegisterShares.h"

namespace tilewright::vendor::nvidia {

/// The warps that give up registers together.
inline constexpr unsigned producerGroup = 4;

/// The registers that a producer keeps whose threads make so many `copies` in an iteration, each:
/// those of addresses and some more, as far as the threads of the block, of `warps` warps, have
/// `data` registers of values and some more.
unsigned findKeptRegisters(const target::Target &target, unsigned warps, unsigned data,
                           unsigned copies);

/// The registers of a block of `warps` warps, and of a producer of `producerGroup` others, which
/// keeps `kept`, or the fewest that it can. Nothing where the machine cannot share unequally.
std::optional<target::RegisterShares> shareWithProducer(const target::Target &target,
                                                        unsigned warps, unsigned kept);

/// The shares where the block's want more than an equal share, beside a producer of one warp, would
/// be: `registers`. Nothing where they do not.
std::optional<target::RegisterShares> findRegisterShares(const target::Target &target,
                                                         unsigned warps, unsigned registers);

/// Makes the two groups of `specialize` take and give up registers for `shares`, first of all.
void setRegisters(ttg::WarpSpecializeOp specialize, const target::RegisterShares &shares);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERREGISTERS_H
