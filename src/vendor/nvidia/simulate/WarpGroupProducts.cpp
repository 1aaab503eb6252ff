//===- WarpGroupProducts.cpp - wgmma's products under way -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". A product takes
// its elements by the maps of its atom, and those in memory by its descriptors. How sums are
// rounded has been measured (ProductArithmetic.h).
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/WarpGroupProducts.h"

#include "runtime/arrays/SmallFloat.h"
#include "simulate/machine/WarpProducts.h"
#include "vendor/nvidia/plan/MatrixDescriptor.h"
#include "vendor/nvidia/plan/WarpGroupFunctions.h"
#include "vendor/nvidia/simulate/ProductArithmetic.h"
#include "vendor/nvidia/simulate/ProductElements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using namespace tilewright::vendor::nvidia;
using target::MmaAtom;
using target::MmaType;

namespace {

//===----------------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------------===//

// A token is a NaN of f32 that signals, which no computation gives: from its lowest bit on 7 bits
// for the register, 15 for the accumulator, which is not 0.
constexpr uint32_t tokenBase = 0x7F800000, registerBits = 7, accumulatorBits = 15;

constexpr uint32_t tokenOf(uint32_t accumulator, uint32_t index) {
  return tokenBase | accumulator << registerBits | index;
}

//===----------------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------------===//

/// Elements of a product's operand as factors, or as integers.
std::vector<Factor> decodeFactors(MmaType type, const std::vector<uint32_t> &elements) {
  std::vector<Factor> factors;
  factors.reserve(elements.size());
  for (uint32_t bits : elements)
    factors.push_back(decodeFactor(type, bits));
  return factors;
}

std::vector<int32_t> decodeIntegers(MmaType type, const std::vector<uint32_t> &elements) {
  std::vector<int32_t> integers;
  integers.reserve(elements.size());
  for (uint32_t bits : elements)
    integers.push_back(static_cast<int32_t>(decodeInteger(type, bits)));
  return integers;
}

/// getPlaces of an operand of a target's list. Simulators of several threads share them.
const std::vector<uint32_t> &placesOf(const target::AtomOperand &operand) {
  static std::mutex mutex;
  static std::map<const target::AtomOperand *, std::vector<uint32_t>> all;
  const std::lock_guard lock(mutex);
  auto [entry, isNew] = all.try_emplace(&operand);
  if (isNew)
    entry->second = getPlaces(operand.map);
  return entry->second;
}

/// Element `index` of a thread, whose registers hold several of `bits` bits each.
uint32_t elementAt(const uint32_t *registers, uint32_t index, unsigned bits) {
  const unsigned inRegister = 32 / bits;
  const uint32_t word = registers[index / inRegister] >> index % inRegister * bits;
  return bits == 32 ? word : word & ((1u << bits) - 1);
}

} // namespace

ProductForm ProductForm::of(const MmaAtom &atom, bool aAlongRows, bool bAlongRows) {
  return {&atom, aAlongRows, bAlongRows, &placesOf(atom.accumulatorOperand),
          hasOperandInRegisters(atom) ? &placesOf(atom.aOperand) : nullptr};
}

//===----------------------------------------------------------------------------===//
// Groups and accumulators
//===----------------------------------------------------------------------------===//

WarpGroupProducts::Group &WarpGroupProducts::groupOf(Machine &machine, uint32_t thread) {
  return groups[thread / (4 * machine.lanesPerWarp())];
}

void WarpGroupProducts::fence(uint32_t thread) {
  groups[thread / warpGroupThreads].fenced[thread % warpGroupThreads / 32] = true;
}

std::optional<uint32_t> WarpGroupProducts::findToken(uint32_t contents, uint32_t index,
                                                     uint32_t firstThread) const {
  if ((contents & 0xFFC00000) != tokenBase || (contents & ((1u << registerBits) - 1)) != index)
    return std::nullopt;
  const uint32_t number = contents >> registerBits & ((1u << accumulatorBits) - 1);
  auto found = accumulators.find(number);
  if (found == accumulators.end() || found->second.firstThread != firstThread)
    return std::nullopt;
  return number;
}

uint32_t WarpGroupProducts::addAccumulator(const GroupExchange &exchange) {
  const auto &first = *static_cast<const ProductOperands *>(exchange.operands.front());
  while (accumulators.contains(nextAccumulator))
    nextAccumulator = nextAccumulator % ((1u << accumulatorBits) - 1) + 1;
  const uint32_t number = nextAccumulator;
  nextAccumulator = nextAccumulator % ((1u << accumulatorBits) - 1) + 1;
  const MmaAtom &atom = *first.form->atom;
  Accumulator &accumulator = accumulators[number];
  accumulator.atom = &atom;
  accumulator.places = first.form->accumulatorPlaces;
  accumulator.firstThread = exchange.firstThread;
  accumulator.elements.resize(atom.m * atom.n);
  if (!first.usesC)
    return number;
  const std::vector<uint32_t> &places = *accumulator.places;
  const uint32_t inThread = places.size() / warpGroupThreads;
  for (uint32_t thread = 0; thread < warpGroupThreads; ++thread) {
    const auto &own = *static_cast<const ProductOperands *>(exchange.operands[thread]);
    for (uint32_t i = 0; i < inThread; ++i)
      accumulator.elements[places[thread * inThread + i]] =
          elementAt(own.registers, i, bitsOf(atom.accumulator));
  }
  return number;
}

std::optional<uint32_t> WarpGroupProducts::accumulatorOf(GroupExchange &exchange, Group &group) {
  const auto &first = *static_cast<const ProductOperands *>(exchange.operands.front());
  const MmaAtom &atom = *first.form->atom;
  const uint32_t count = accumulatorRegisters(atom);
  const std::optional<uint32_t> known = findToken(first.registers[0], 0, exchange.firstThread);
  bool goesOn = known && accumulators.at(*known).atom->n == atom.n &&
                accumulators.at(*known).atom->accumulator == atom.accumulator;
  const uint32_t *pending = nullptr;
  for (void *operands : exchange.operands) {
    const uint32_t *registers = static_cast<const ProductOperands *>(operands)->registers;
    for (uint32_t i = 0; i < count; ++i) {
      goesOn = goesOn && registers[i] == tokenOf(*known, i);
      if (findToken(registers[i], i, exchange.firstThread))
        pending = &registers[i];
    }
  }
  Machine &machine = *exchange.machine;
  if (!goesOn && first.usesC && pending) {
    use(machine, exchange.site, *pending);
    return std::nullopt;
  }
  const bool isReady = std::ranges::all_of(group.fenced, [](bool fenced) { return fenced; });
  if (!isReady && (!goesOn || hasOperandInRegisters(atom))) {
    machine.fail(exchange.site,
                 "the registers of a product may have been written since the last wgmma.fence of "
                 "its warps",
                 "wgmma.fence must stand between what writes them and the product");
    return std::nullopt;
  }
  return goesOn ? *known : addAccumulator(exchange);
}

uint32_t WarpGroupProducts::use(Machine &machine, uint32_t site, uint32_t contents) {
  const uint32_t thread = machine.currentThread();
  const uint32_t index = contents & ((1u << registerBits) - 1);
  const uint32_t firstThread = thread / warpGroupThreads * warpGroupThreads;
  const std::optional<uint32_t> number = findToken(contents, index, firstThread);
  if (!number)
    return contents;
  const Accumulator &accumulator = accumulators.at(*number);
  if (accumulator.pending) {
    const Group &group = groupOf(machine, thread);
    // How many groups are younger than that of the last product.
    std::string left = "commit the product to a group and wait for it";
    for (size_t i = group.committed.size(); i-- > 0;)
      if (std::ranges::any_of(group.committed[i], [&](const Product &product) {
            return product.accumulator == *number;
          })) {
        const size_t after = group.committed.size() - 1 - i;
        left = "wait until at most " + std::to_string(after) +
               (after == 1 ? " group is" : " groups are") + " under way";
        break;
      }
    machine.fail(site, "the result of an asynchronous product is used before it is complete", left);
    machine.addNote(accumulator.site, "the product was issued here");
    return contents;
  }
  return valueOf(accumulator, thread - firstThread, index);
}

uint32_t WarpGroupProducts::valueOf(const Accumulator &accumulator, uint32_t thread,
                                    uint32_t index) {
  const std::vector<uint32_t> &places = *accumulator.places;
  const uint32_t *own = &places[thread * (places.size() / warpGroupThreads)];
  const unsigned bits = bitsOf(accumulator.atom->accumulator), inRegister = 32 / bits;
  uint32_t value = 0;
  for (uint32_t i = 0; i < inRegister; ++i)
    value |= accumulator.elements[own[index * inRegister + i]] << i * bits;
  return value;
}

//===----------------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------------===//

/// The address whose low bits the descriptor has.
static uint64_t hostAddressOf(const Machine &machine, uint32_t start) {
  constexpr uint64_t span = uint64_t(1) << descriptorAddressBits;
  const uint64_t base = machine.shared.begin();
  const uint64_t address = base / span * span + start;
  return address < base ? address + span : address;
}

/// The first thread of each warp of a group, whose first one is `thread`.
static std::array<uint32_t, 4> firstLanesOf(const Machine &machine, uint32_t thread) {
  const uint32_t lanes = machine.lanesPerWarp();
  return {thread, thread + lanes, thread + 2 * lanes, thread + 3 * lanes};
}

bool WarpGroupProducts::beginReads(GroupExchange &exchange, std::vector<Piece> &pieces,
                                   uint64_t descriptor, bool alongRows, uint32_t rows,
                                   uint32_t depth, uint32_t elementBytes) {
  Machine &machine = *exchange.machine;
  const MatrixDescriptor form = MatrixDescriptor::decode(descriptor);
  const uint64_t start = hostAddressOf(machine, form.start);
  const uint32_t inPiece = descriptorUnitBytes / elementBytes;
  const uint32_t rowStep = alongRows ? inPiece : 1, depthStep = alongRows ? 1 : inPiece;
  const std::array<uint32_t, 4> threads = firstLanesOf(machine, exchange.firstThread);
  for (uint32_t row = 0; row < rows; row += rowStep)
    for (uint32_t k = 0; k < depth; k += depthStep) {
      const uint64_t address = form.addressOf(start, row, k, elementBytes, alongRows);
      // Of what cp.async brought: vendor/nvidia/lower/ProxyFences.h.
      if (!machine.beginRead(exchange.site, threads, {address, descriptorUnitBytes},
                             /*seesCopies=*/true))
        return false;
      pieces.push_back({address, row, k});
    }
  return true;
}

void WarpGroupProducts::issue(GroupExchange &exchange) {
  Machine &machine = *exchange.machine;
  const auto &first = *static_cast<const ProductOperands *>(exchange.operands.front());
  for (void *operands : exchange.operands) {
    const auto &own = *static_cast<const ProductOperands *>(operands);
    if (own.a != first.a || own.b != first.b || own.usesC != first.usesC)
      return machine.fail(exchange.site,
                          "the threads of a warpgroup give a product different descriptors or "
                          "predicates",
                          "they must be the same in all 128 threads");
  }
  Group &group = groupOf(machine, exchange.firstThread);
  const std::optional<uint32_t> number = accumulatorOf(exchange, group);
  if (!number)
    return;

  const ProductForm &form = *first.form;
  const MmaAtom &atom = *form.atom;
  Product product{&form, exchange.site, *number, first.usesC, {}, {}, {}};
  const uint32_t elementBytes = bitsOf(atom.a) / 8;
  if (hasOperandInRegisters(atom)) {
    const std::vector<uint32_t> &places = *form.aPlaces;
    const uint32_t inThread = places.size() / warpGroupThreads;
    product.aElements.resize(places.size());
    for (uint32_t thread = 0; thread < warpGroupThreads; ++thread) {
      const auto &own = *static_cast<const ProductOperands *>(exchange.operands[thread]);
      for (uint32_t i = 0; i < inThread; ++i)
        product.aElements[places[thread * inThread + i]] =
            elementAt(own.registers + accumulatorRegisters(atom), i, bitsOf(atom.a));
    }
  } else if (!beginReads(exchange, product.a, first.a, form.aAlongRows, atom.m, atom.k,
                         elementBytes)) {
    return;
  }
  if (!beginReads(exchange, product.b, first.b, form.bAlongRows, atom.n, atom.k, elementBytes))
    return;

  Accumulator &accumulator = accumulators.at(*number);
  ++accumulator.pending;
  accumulator.site = exchange.site;
  if (machine.completesEarly())
    perform(product);
  group.open.push_back(std::move(product));
  for (void *operands : exchange.operands) {
    uint32_t *registers = static_cast<ProductOperands *>(operands)->registers;
    for (uint32_t i = 0; i < accumulatorRegisters(atom); ++i)
      registers[i] = tokenOf(*number, i);
  }
}

//===----------------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------------===//

/// Each element of an accumulator from itself, its row of a and its column of b, both along K.
template <typename Number, typename Sum>
static void multiplyAdd(const std::vector<Number> &a, const std::vector<Number> &b,
                        const MmaAtom &atom, std::vector<uint32_t> &accumulator, Sum sum) {
  for (uint32_t row = 0; row < atom.m; ++row)
    for (uint32_t column = 0; column < atom.n; ++column) {
      uint32_t &element = accumulator[row * atom.n + column];
      element = sum(element, &a[row * atom.k], &b[column * atom.k]);
    }
}

void WarpGroupProducts::perform(const Product &product) {
  const MmaAtom &atom = *product.form->atom;
  const unsigned bytes = bitsOf(atom.a) / 8, inPiece = descriptorUnitBytes / bytes;
  // Rows of K elements each.
  auto gather = [&](const std::vector<Piece> &pieces, bool alongRows, uint32_t rows) {
    std::vector<uint32_t> elements(size_t(rows) * atom.k);
    for (const Piece &piece : pieces)
      for (uint32_t i = 0; i < inPiece; ++i)
        std::memcpy(&elements[piece.row * atom.k + piece.depth + i * (alongRows ? atom.k : 1)],
                    reinterpret_cast<const uint8_t *>(piece.address) + size_t(i) * bytes, bytes);
    return elements;
  };
  const std::vector<uint32_t> a = hasOperandInRegisters(atom)
                                      ? product.aElements
                                      : gather(product.a, product.form->aAlongRows, atom.m),
                              b = gather(product.b, product.form->bAlongRows, atom.n);
  std::vector<uint32_t> &elements = accumulators.at(product.accumulator).elements;
  if (!product.usesC)
    std::ranges::fill(elements, 0);
  if (atom.accumulator == MmaType::S32)
    return multiplyAdd(decodeIntegers(atom.a, a), decodeIntegers(atom.b, b), atom, elements,
                       [&](uint32_t element, const int32_t *left, const int32_t *right) {
                         for (unsigned k = 0; k < atom.k; ++k)
                           element += static_cast<uint32_t>(left[k] * right[k]);
                         return element;
                       });
  const bool isHalf = atom.accumulator == MmaType::F16;
  multiplyAdd(
      decodeFactors(atom.a, a), decodeFactors(atom.b, b), atom, elements,
      [&](uint32_t element, const Factor *left, const Factor *right) -> uint32_t {
        const float c = isHalf ? static_cast<float>(runtime::decode(runtime::float16, element))
                               : std::bit_cast<float>(element);
        const float sum = sumWarpGroupProducts(c, left, right, atom.k, atom.a, atom.accumulator);
        return isHalf ? runtime::encode(runtime::float16, sum) : std::bit_cast<uint32_t>(sum);
      });
}

void WarpGroupProducts::complete(Machine &machine, const Product &product, uint32_t firstThread) {
  if (!machine.completesEarly())
    perform(product);
  // Each warp's part of the product reads the operands, and its wait is for that.
  const std::array<uint32_t, 4> threads = firstLanesOf(machine, firstThread);
  for (const std::vector<Piece> *pieces : {&product.a, &product.b})
    for (const Piece &piece : *pieces)
      machine.completeRead(product.site, threads, {piece.address, descriptorUnitBytes});
  --accumulators.at(product.accumulator).pending;
}

void WarpGroupProducts::commit(GroupExchange &exchange) {
  Group &group = groupOf(*exchange.machine, exchange.firstThread);
  group.committed.push_back(std::exchange(group.open, {}));
  std::ranges::fill(group.fenced, false);
}

void WarpGroupProducts::wait(GroupExchange &exchange) {
  Group &group = groupOf(*exchange.machine, exchange.firstThread);
  const uint32_t left = static_cast<const WaitOperands *>(exchange.operands.front())->left;
  while (group.committed.size() > left) {
    for (const Product &product : group.committed.front())
      complete(*exchange.machine, product, exchange.firstThread);
    group.committed.pop_front();
  }
  std::ranges::fill(group.fenced, false);

  // How many of an accumulator's registers are tokens no longer.
  std::map<uint32_t, uint32_t> replaced;
  for (uint32_t thread = 0; thread < warpGroupThreads; ++thread) {
    const auto &own = *static_cast<const WaitOperands *>(exchange.operands[thread]);
    for (uint32_t i = 0; i < own.count; ++i) {
      uint32_t &contents = own.registers[i];
      const uint32_t index = contents & ((1u << registerBits) - 1);
      const std::optional<uint32_t> number = findToken(contents, index, exchange.firstThread);
      if (!number || accumulators.at(*number).pending)
        continue;
      contents = valueOf(accumulators.at(*number), thread, index);
      ++replaced[*number];
    }
  }
  for (auto [number, count] : replaced)
    if (count == warpGroupThreads * accumulatorRegisters(*accumulators.at(number).atom))
      accumulators.erase(number);
}
