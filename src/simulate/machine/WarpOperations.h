//===- WarpOperations.h - Shuffles, votes and reductions ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Operations across the lanes of a warp, common to all GPUs. A vendor's operations become these:
// which lane a lane reads from is computed by each lane beforehand.
//
// Only a barrier orders what the lanes do in memory.
//
// `members` names the lanes that meet, a bit each. A lane that comes here without being one, and
// a value from a lane that is none, are errors.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_WARPOPERATIONS_H
#define TILEWRIGHT_SIMULATE_MACHINE_WARPOPERATIONS_H

#include "simulate/RuntimeCalls.h"
#include "simulate/machine/Machine.h"

namespace tilewright::simulate {

namespace runtime_call {
// All after machine and site.
inline constexpr char warpBarrier[] = "tilewright.warp_barrier"; // i64 members
/// i64 members, i64 value, i32 source -> i64: the value of lane `source`.
inline constexpr char shuffle[] = "tilewright.shuffle";
/// i64 members, i32 value -> i32: the value, which is to be the same in all members.
inline constexpr char uniform[] = "tilewright.uniform";
/// i64 members, i32 condition -> i64: a bit for each member whose condition is not 0.
inline constexpr char ballot[] = "tilewright.ballot";
/// i64 members, i32 LaneCombination::code(), i64 value -> i64
inline constexpr char combineLanes[] = "tilewright.combine_lanes";
} // namespace runtime_call

/// Reductions and scans over the members, in the order of lanes.
struct LaneCombination {
  enum class Operation : uint8_t { Add, Multiply, Min, Max, And, Or, Xor };
  /// The type of the low bits of a value. Integers of fewer bits are extended as they are signed.
  enum class Type : uint8_t { Signed, Unsigned, Half, Float, Double };
  /// Over all lanes; over those up to this one; over those before it, where the first lane gets
  /// the operation's neutral element.
  enum class Extent : uint8_t { All, Inclusive, Exclusive };

  Operation operation = Operation::Add;
  Type type = Type::Signed;
  Extent extent = Extent::All;
  /// The width of the type; integers wrap there.
  uint8_t bits = 32;

  uint32_t code() const {
    return static_cast<uint32_t>(operation) | static_cast<uint32_t>(type) << 8 |
           static_cast<uint32_t>(extent) << 16 | static_cast<uint32_t>(bits) << 24;
  }
  static LaneCombination fromCode(uint32_t code) {
    return {static_cast<Operation>(code & 255), static_cast<Type>(code >> 8 & 255),
            static_cast<Extent>(code >> 16 & 255), static_cast<uint8_t>(code >> 24)};
  }
};

/// Machine::warpOperation after a look at whether the lane is a member; ends the thread if not.
uint64_t meet(Machine *machine, uint32_t site, uint64_t members,
              const uint32_t (&operands)[WarpExchange::operandCount], WarpCombine combine);

/// The shuffle above, for the functions of vendors.
uint64_t shuffleFrom(Machine *machine, uint32_t site, uint64_t members, uint64_t value,
                     uint32_t source);

inline bool isMember(const WarpExchange &exchange, uint32_t lane) {
  return lane < exchange.lanes && (exchange.members >> lane & 1);
}

std::span<const RuntimeSymbol> warpOperationSymbols();

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_WARPOPERATIONS_H
