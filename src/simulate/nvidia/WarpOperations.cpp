//===- WarpOperations.cpp - Shuffles, votes and reductions of a warp ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, sections on shfl.sync, vote.sync, redux.sync, elect.sync,
// bar.warp.sync and prmt.
//
//===--------------------------------------------------------------------------===//

#include "runtime/SmallFloat.h"
#include "simulate/Machine.h"
#include "simulate/nvidia/NvidiaOperations.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;

static bool isMember(const WarpExchange &exchange, uint32_t lane) {
  return exchange.members >> lane & 1;
}

/// A lane outside of the members must not take part.
static bool takesPart(Machine *machine, uint32_t site, uint32_t members) {
  if (members >> machine->registers.lane & 1)
    return true;
  machine->fail(site,
                "a lane executes " + machine->sites[site].operation +
                    " without being in its member mask",
                "the member mask must name every lane that gets here");
  return false;
}

static uint64_t meet(Machine *machine, uint32_t site, uint32_t members,
                     const uint32_t (&operands)[WarpExchange::operandCount], WarpCombine combine) {
  if (!takesPart(machine, site, members))
    machine->leaveIfFailed();
  return machine->warpOperation(site, members, operands, combine);
}

//===--------------------------------------------------------------------------===//
// bar.warp.sync
//===--------------------------------------------------------------------------===//

static void warpBarrier(Machine *machine, uint32_t site, uint32_t members) {
  meet(machine, site, members, {}, [](WarpExchange &) {});
}

//===--------------------------------------------------------------------------===//
// shfl.sync
//===--------------------------------------------------------------------------===//

// Operands: value, b, c, mode. The lane's segment is given by the mask in bits 8-12 of
// c; the clamp in bits 0-4 bounds the source lane within it.
static void combineShuffle(WarpExchange &exchange) {
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane) {
    if (!isMember(exchange, lane))
      continue;
    WarpExchange::Lane &own = exchange.lane[lane];
    int32_t b = own.operands[1] & 31;
    int32_t clamp = own.operands[2] & 31;
    int32_t segment = own.operands[2] >> 8 & 31;
    int32_t self = static_cast<int32_t>(lane);
    int32_t bound = (self & segment) | (clamp & ~segment);
    int32_t source = 0;
    bool inside = false;
    switch (static_cast<ShuffleMode>(own.operands[3])) {
    case ShuffleMode::Up:
      source = self - b;
      inside = source >= bound;
      break;
    case ShuffleMode::Down:
      source = self + b;
      inside = source <= bound;
      break;
    case ShuffleMode::Butterfly:
      source = self ^ b;
      inside = source <= bound;
      break;
    case ShuffleMode::Index:
      source = (self & segment) | (b & ~segment);
      inside = source <= bound;
      break;
    }
    if (!inside)
      source = self;
    if (!isMember(exchange, source)) {
      exchange.problem = "lane " + std::to_string(lane) + " shuffles a value from lane " +
                         std::to_string(source) + ", which does not take part";
      return;
    }
    own.result = exchange.lane[source].operands[0] | uint64_t(inside) << 32;
  }
}

static uint64_t shuffle(Machine *machine, uint32_t site, uint32_t members, uint32_t mode,
                        uint32_t value, uint32_t b, uint32_t c) {
  return meet(machine, site, members, {value, b, c, mode}, combineShuffle);
}

//===--------------------------------------------------------------------------===//
// vote.sync
//===--------------------------------------------------------------------------===//

// Operands: condition, mode.
static void combineVote(WarpExchange &exchange) {
  uint64_t ballot = 0;
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane)
    if (isMember(exchange, lane) && exchange.lane[lane].operands[0])
      ballot |= uint64_t(1) << lane;
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane) {
    uint64_t &result = exchange.lane[lane].result;
    switch (static_cast<VoteMode>(exchange.lane[lane].operands[1])) {
    case VoteMode::All:
      result = ballot == exchange.members;
      break;
    case VoteMode::Any:
      result = ballot != 0;
      break;
    case VoteMode::Uniform:
      result = ballot == 0 || ballot == exchange.members;
      break;
    case VoteMode::Ballot:
      result = ballot;
      break;
    }
  }
}

static uint32_t vote(Machine *machine, uint32_t site, uint32_t members, uint32_t mode,
                     uint32_t condition) {
  return meet(machine, site, members, {condition, mode, 0, 0}, combineVote);
}

//===--------------------------------------------------------------------------===//
// redux.sync
//===--------------------------------------------------------------------------===//

static uint32_t reducePair(ReduceMode mode, uint32_t a, uint32_t b) {
  auto asSigned = [](uint32_t value) { return static_cast<int32_t>(value); };
  switch (mode) {
  case ReduceMode::Add:
    return a + b;
  case ReduceMode::Min:
    return asSigned(b) < asSigned(a) ? b : a;
  case ReduceMode::Max:
    return asSigned(b) > asSigned(a) ? b : a;
  case ReduceMode::UMin:
    return b < a ? b : a;
  case ReduceMode::UMax:
    return b > a ? b : a;
  case ReduceMode::And:
    return a & b;
  case ReduceMode::Or:
    return a | b;
  case ReduceMode::Xor:
    return a ^ b;
  }
  return a;
}

// Operands: value, mode.
static void combineReduce(WarpExchange &exchange) {
  uint32_t first = std::countr_zero(exchange.members);
  auto mode = static_cast<ReduceMode>(exchange.lane[first].operands[1]);
  uint32_t total = exchange.lane[first].operands[0];
  for (uint32_t lane = first + 1; lane < exchange.lanes; ++lane)
    if (isMember(exchange, lane))
      total = reducePair(mode, total, exchange.lane[lane].operands[0]);
  for (WarpExchange::Lane &lane : exchange.lane)
    lane.result = total;
}

static uint32_t reduce(Machine *machine, uint32_t site, uint32_t members, uint32_t mode,
                       uint32_t value) {
  return meet(machine, site, members, {value, mode, 0, 0}, combineReduce);
}

//===--------------------------------------------------------------------------===//
// elect.sync: any lane may be elected as long as it is the same every time
//===--------------------------------------------------------------------------===//

static void combineElect(WarpExchange &exchange) {
  uint32_t elected = std::countr_zero(exchange.members);
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane)
    exchange.lane[lane].result = elected | uint64_t(lane == elected) << 32;
}

static uint64_t elect(Machine *machine, uint32_t site, uint32_t members) {
  return meet(machine, site, members, {}, combineElect);
}

//===--------------------------------------------------------------------------===//
// Single threads' operations
//===--------------------------------------------------------------------------===//

static void noteAssertion(Machine *machine, uint32_t site, const char *message, const char *file,
                          uint32_t line) {
  machine->fail(site, std::string("assertion failed: ") + message + " (" + file + ":" +
                          std::to_string(line) + ")");
}

static void assertionFailed(Machine *machine, uint32_t site, const char *message, const char *file,
                            uint32_t line, const char *) {
  noteAssertion(machine, site, message, file, line);
  machine->leaveIfFailed();
}

/// prmt in its default mode: each nibble of the selector takes one of the eight bytes of
/// b:a, or, with its highest bit set, that byte's sign in all bits.
/// cvt.rn.satfinite to 8 bits: what is larger than the largest number becomes that one.
template <const runtime::SmallFloatFormat &format, uint16_t largest>
static uint16_t packEightBits(float high, float low) {
  uint16_t packed = 0;
  for (float value : {high, low}) {
    uint16_t code = runtime::encode(format, value), magnitude = code & 0x7f;
    if (value != value)
      code = 0x7f;
    else if (magnitude > largest)
      code = static_cast<uint16_t>((code & 0x80) | largest);
    packed = static_cast<uint16_t>(packed << 8 | code);
  }
  return packed;
}

template <const runtime::SmallFloatFormat &format> static uint32_t unpackEightBits(uint16_t codes) {
  uint32_t halves = 0;
  for (unsigned i = 0; i < 2; ++i) {
    double value = runtime::decode(format, codes >> 8 * i & 0xff);
    halves |= uint32_t(runtime::encode(runtime::float16, value)) << 16 * i;
  }
  return halves;
}

static uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = bytes >> 8 * (nibble & 7) & 255;
    if (nibble & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

template <typename Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

std::span<const RuntimeSymbol> nvidia::warpOperationSymbols() {
  static const RuntimeSymbol symbols[] = {
      {nvidia::runtime_call::warpBarrier, addressOf(warpBarrier)},
      {nvidia::runtime_call::shuffle, addressOf(shuffle)},
      {nvidia::runtime_call::vote, addressOf(vote)},
      {nvidia::runtime_call::reduce, addressOf(reduce)},
      {nvidia::runtime_call::elect, addressOf(elect)},
      {nvidia::runtime_call::assertionFailed, addressOf(assertionFailed)},
      {nvidia::runtime_call::permuteBytes, addressOf(permuteBytes)},
      {nvidia::runtime_call::packE4M3, addressOf(packEightBits<runtime::float8E4M3, 0x7e>)},
      {nvidia::runtime_call::packE5M2, addressOf(packEightBits<runtime::float8E5M2, 0x7b>)},
      {nvidia::runtime_call::unpackE4M3, addressOf(unpackEightBits<runtime::float8E4M3>)},
      {nvidia::runtime_call::unpackE5M2, addressOf(unpackEightBits<runtime::float8E5M2>)},
  };
  return symbols;
}
