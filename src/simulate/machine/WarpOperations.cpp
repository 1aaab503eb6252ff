//===- WarpOperations.cpp - Shuffles, votes and reductions --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/WarpOperations.h"

#include "runtime/arrays/SmallFloat.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::simulate;

uint64_t simulate::meet(Machine *machine, uint32_t site, uint64_t members,
                        const uint32_t (&operands)[WarpExchange::operandCount],
                        WarpCombine combine) {
  if (!(members >> machine->registers.lane & 1)) {
    machine->fail(site,
                  "a lane executes " + machine->sites[site].operation +
                      " without being in its member mask",
                  "the member mask must name every lane that gets here");
    machine->leaveIfFailed();
  }
  return machine->warpOperation(site, members, operands, combine);
}

static void warpBarrier(Machine *machine, uint32_t site, uint64_t members) {
  meet(machine, site, members, {}, [](WarpExchange &exchange) { exchange.ordersMemory = true; });
}

//===--------------------------------------------------------------------------===//
// Shuffles
//===--------------------------------------------------------------------------===//

// Operands: the value's two words, source.
static void combineShuffle(WarpExchange &exchange) {
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane) {
    if (!isMember(exchange, lane))
      continue;
    WarpExchange::Lane &own = exchange.lane[lane];
    uint32_t source = own.operands[2];
    if (!isMember(exchange, source)) {
      exchange.problem = "lane " + std::to_string(lane) + " shuffles a value from lane " +
                         std::to_string(static_cast<int32_t>(source)) +
                         ", which does not take part";
      return;
    }
    const WarpExchange::Lane &from = exchange.lane[source];
    own.result = from.operands[0] | uint64_t(from.operands[1]) << 32;
  }
}

uint64_t simulate::shuffleFrom(Machine *machine, uint32_t site, uint64_t members, uint64_t value,
                               uint32_t source) {
  return meet(machine, site, members,
              {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32), source, 0},
              combineShuffle);
}

// Operand: value.
static void combineUniform(WarpExchange &exchange) {
  uint32_t first = exchange.lane[std::countr_zero(exchange.members)].operands[0];
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane) {
    exchange.lane[lane].result = first;
    if (isMember(exchange, lane) && exchange.lane[lane].operands[0] != first)
      exchange.problem = "the lanes of a warp give " +
                         exchange.machine->sites[exchange.site].operation +
                         " different values where it takes one for all of them";
  }
}

static uint32_t uniform(Machine *machine, uint32_t site, uint64_t members, uint32_t value) {
  return meet(machine, site, members, {value, 0, 0, 0}, combineUniform);
}

//===--------------------------------------------------------------------------===//
// Votes
//===--------------------------------------------------------------------------===//

// Operand: condition.
static void combineBallot(WarpExchange &exchange) {
  uint64_t ballot = 0;
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane)
    if (isMember(exchange, lane) && exchange.lane[lane].operands[0])
      ballot |= uint64_t(1) << lane;
  for (WarpExchange::Lane &lane : exchange.lane)
    lane.result = ballot;
}

static uint64_t ballot(Machine *machine, uint32_t site, uint64_t members, uint32_t condition) {
  return meet(machine, site, members, {condition, 0, 0, 0}, combineBallot);
}

//===--------------------------------------------------------------------------===//
// Reductions and scans
//===--------------------------------------------------------------------------===//

template <typename T> static T neutralOf(LaneCombination::Operation operation) {
  using Limits = std::numeric_limits<T>;
  switch (operation) {
  case LaneCombination::Operation::Multiply:
    return 1;
  case LaneCombination::Operation::Min:
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  case LaneCombination::Operation::Max:
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  case LaneCombination::Operation::And:
    return static_cast<T>(-1);
  default:
    return 0;
  }
}

template <typename T> static T combinePair(LaneCombination::Operation operation, T a, T b) {
  constexpr bool isFloat = std::is_floating_point_v<T>;
  // Sums and products wrap.
  using Wide =
      std::conditional_t<isFloat, T, std::make_unsigned_t<std::conditional_t<isFloat, int64_t, T>>>;
  switch (operation) {
  case LaneCombination::Operation::Add:
    return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
  case LaneCombination::Operation::Multiply:
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
  case LaneCombination::Operation::Min:
    if constexpr (isFloat)
      return std::fmin(a, b);
    return b < a ? b : a;
  case LaneCombination::Operation::Max:
    if constexpr (isFloat)
      return std::fmax(a, b);
    return b > a ? b : a;
  default:
    break;
  }
  if constexpr (!isFloat)
    switch (operation) {
    case LaneCombination::Operation::And:
      return a & b;
    case LaneCombination::Operation::Or:
      return a | b;
    case LaneCombination::Operation::Xor:
      return a ^ b;
    default:
      break;
    }
  return a;
}

/// `read` makes a T of a lane's bits, `write` bits of a T; what a T is rounded to when it is
/// written is what goes on into the next lane.
template <typename T, typename Read, typename Write>
static void combineAs(WarpExchange &exchange, const LaneCombination &combination, Read read,
                      Write write) {
  auto valueOf = [&](const WarpExchange::Lane &lane) {
    return read(lane.operands[0] | uint64_t(lane.operands[1]) << 32);
  };
  // Integers narrower than T have their own smallest and largest number.
  uint64_t total = write(neutralOf<T>(combination.operation));
  if constexpr (std::is_integral_v<T>) {
    uint64_t ones = ~uint64_t(0) >> (64 - combination.bits);
    if (combination.operation == LaneCombination::Operation::Min)
      total = std::is_signed_v<T> ? ones >> 1 : ones;
    if (combination.operation == LaneCombination::Operation::Max)
      total = std::is_signed_v<T> ? ones ^ ones >> 1 : 0;
  }
  bool first = true;
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane) {
    if (!isMember(exchange, lane))
      continue;
    WarpExchange::Lane &own = exchange.lane[lane];
    uint64_t before = total;
    total = write(first ? valueOf(own)
                        : combinePair<T>(combination.operation, read(total), valueOf(own)));
    first = false;
    own.result = combination.extent == LaneCombination::Extent::Exclusive ? before : total;
  }
  if (combination.extent == LaneCombination::Extent::All)
    for (WarpExchange::Lane &lane : exchange.lane)
      lane.result = total;
}

// Operands: the value's two words, code.
static void combineLanesOf(WarpExchange &exchange) {
  uint32_t first = std::countr_zero(exchange.members);
  LaneCombination combination = LaneCombination::fromCode(exchange.lane[first].operands[2]);
  unsigned unused = 64 - combination.bits;
  switch (combination.type) {
  case LaneCombination::Type::Signed:
    return combineAs<int64_t>(
        exchange, combination,
        [&](uint64_t bits) { return static_cast<int64_t>(bits << unused) >> unused; },
        [](int64_t value) { return static_cast<uint64_t>(value); });
  case LaneCombination::Type::Unsigned:
    return combineAs<uint64_t>(
        exchange, combination, [&](uint64_t bits) { return bits << unused >> unused; },
        [](uint64_t value) { return value; });
  case LaneCombination::Type::Half:
    return combineAs<double>(
        exchange, combination,
        [](uint64_t bits) {
          return runtime::decode(runtime::float16, static_cast<uint16_t>(bits));
        },
        [](double value) { return uint64_t(runtime::encode(runtime::float16, value)); });
  case LaneCombination::Type::Float:
    return combineAs<float>(
        exchange, combination,
        [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); },
        [](float value) { return uint64_t(std::bit_cast<uint32_t>(value)); });
  case LaneCombination::Type::Double:
    return combineAs<double>(
        exchange, combination, [](uint64_t bits) { return std::bit_cast<double>(bits); },
        [](double value) { return std::bit_cast<uint64_t>(value); });
  }
}

static uint64_t combineLanes(Machine *machine, uint32_t site, uint64_t members, uint32_t code,
                             uint64_t value) {
  return meet(machine, site, members,
              {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32), code, 0},
              combineLanesOf);
}

std::span<const RuntimeSymbol> simulate::warpOperationSymbols() {
  static const RuntimeSymbol symbols[] = {
      {runtime_call::warpBarrier, addressOf(warpBarrier)},
      {runtime_call::shuffle, addressOf(shuffleFrom)},
      {runtime_call::uniform, addressOf(uniform)},
      {runtime_call::ballot, addressOf(ballot)},
      {runtime_call::combineLanes, addressOf(combineLanes)},
  };
  return symbols;
}
