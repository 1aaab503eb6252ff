//===- TensorMemory.cpp - Tensor memory and what is under way there -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, "TensorCore 5th Generation Family Instructions". How sums are rounded
// is not published and nothing has been measured: each instruction's sum is exact as far as f64
// goes, and rounded once.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/TensorMemory.h"

#include "layout/encoding/TensorMemory.h"
#include "runtime/arrays/SmallFloat.h"
#include "target/NvidiaAtoms.h"
#include "vendor/nvidia/plan/InstructionDescriptor.h"
#include "vendor/nvidia/plan/MatrixDescriptor.h"
#include "vendor/nvidia/simulate/ProductArithmetic.h"
#include "vendor/nvidia/simulate/ProductElements.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using namespace tilewright::vendor::nvidia;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;
using target::MmaAtom;
using target::MmaType;
using target::Space;
namespace dims = layout::dims;

//===----------------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------------===//

static uint32_t rowOf(uint32_t address) { return address >> 16; }
static uint32_t columnOf(uint32_t address) { return address & 0xffff; }

static std::string placeText(uint32_t row, uint32_t column) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

TensorCopyForm::Place TensorCopyForm::locate(uint32_t lane, uint32_t word) const {
  const layout::LinearLayout &map = atom->registers().map;
  const uint64_t inAtom = map.inSize(dims::Register);
  const uint64_t place = map.applyFlat(map.packInput(std::initializer_list<layout::DimValue>{
      {dims::Register, word % inAtom}, {dims::Lane, lane}}));
  auto column = static_cast<uint32_t>(map.outValue(place, dims::Dim1));
  auto width = static_cast<uint32_t>(map.outSize(dims::Dim1));
  if (splitColumns) {
    column *= splitColumns;
    width = 1;
  }
  return {static_cast<uint32_t>(map.outValue(place, dims::Dim0)),
          column + static_cast<uint32_t>(word / inAtom) * width};
}

void TensorMemory::reset() {
  words.clear();
  pending.clear();
  if (records.size())
    records.reset();
  columnCount = 0;
  endedThreads = 0;
  mayAllocate = true;
  wasReleased = false;
  products.clear();
  completed = 0;
  loads.clear();
  stores.clear();
}

/// Before the first use by a block.
void TensorMemory::prepare(Machine &machine) {
  if (!words.empty())
    return;
  words.resize(size_t(rows) * columns);
  pending.resize(words.size());
  if (records.size())
    return;
  records.reserve(words.size(), /*blocks=*/1);
  records.trackWarps(machine.warps() + 1);
  records.trackReaders();
}

std::optional<uint32_t> TensorMemory::findWord(Machine &machine, uint32_t site, uint32_t row,
                                               uint32_t column) {
  if (row < rows && column >= firstColumn && column - firstColumn < columnCount)
    return row * columns + column;
  if (wasReleased)
    machine.fail(site,
                 "tensor memory at " + placeText(row, column) +
                     " is used after the block has given its columns back",
                 "tcgen05.dealloc must come after all accesses");
  else if (!columnCount)
    machine.fail(site,
                 "tensor memory is used at " + placeText(row, column) +
                     ", of which the block has none",
                 "a warp must take columns first (tcgen05.alloc), and the others meet it");
  else
    machine.fail(site, "there is no tensor memory of the block at " + placeText(row, column) +
                           ": it has columns " + std::to_string(firstColumn) + " to " +
                           std::to_string(firstColumn + columnCount - 1) + " of 128 rows");
  return std::nullopt;
}

//===----------------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------------===//

void TensorMemory::allocate(Machine &machine, uint32_t site, uint64_t address, uint32_t count) {
  prepare(machine);
  constexpr uint32_t fewest = 32;
  if (count < fewest || count > columns || !std::has_single_bit(count))
    return machine.fail(site,
                        "a block takes a power of two of columns of tensor memory, from 32 to "
                        "512, not " +
                            std::to_string(count));
  if (!mayAllocate)
    return machine.fail(site,
                        "columns are taken after the block has given up the right to take more",
                        "tcgen05.relinquish_alloc_permit must come after the last tcgen05.alloc");
  if (columnCount)
    return machine.fail(site, "columns are taken by a block that has some",
                        "kernels take them once, for all that they need");
  // Another block may have the first ones.
  firstColumn = columns - count;
  columnCount = count;
  wasReleased = false;
  if (machine.accessShared(machine.currentThread(), site, address, sizeof(uint32_t)))
    std::memcpy(reinterpret_cast<void *>(address), &firstColumn, sizeof(firstColumn));
}

void TensorMemory::release(Machine &machine, uint32_t site, uint32_t address, uint32_t count) {
  if (rowOf(address) || columnOf(address) != firstColumn || count != columnCount || !columnCount)
    return machine.fail(site, "the block gives back " + std::to_string(count) + " columns at " +
                                  placeText(rowOf(address), columnOf(address)) +
                                  ", but has taken " + std::to_string(columnCount) + " at column " +
                                  std::to_string(firstColumn));
  if (completed < products.size()) {
    machine.fail(site, "columns are given back while a product may be under way in them",
                 "wait for a barrier that a tcgen05.commit after it names");
    return machine.addNote(products[completed].site, "the product was issued here");
  }
  columnCount = 0;
  wasReleased = true;
}

void TensorMemory::endThread(Machine &machine, uint32_t site) {
  if (++endedThreads == machine.threadsPerBlock() && columnCount)
    machine.fail(site, "the block ends with columns of tensor memory that it has not given back",
                 "tcgen05.dealloc must follow");
}

//===----------------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------------===//

void TensorMemory::report(Machine &machine, uint32_t site, uint32_t word,
                          const SharedMemory::Outcome &outcome) {
  const std::string at = placeText(word / columns, word % columns - firstColumn);
  auto race = [&](const std::string &pair) {
    machine.fail(site,
                 "race in tensor memory: " + pair + " of " + at +
                     " by two warps with nothing that orders them",
                 "a barrier is missing between the two accesses, or a wait for a product's");
    machine.addNote(outcome.otherSite, "the other access is here");
  };
  switch (outcome.fault) {
  case SharedFault::None:
    return;
  case SharedFault::Uninitialized:
    return machine.fail(site, "tensor memory that nothing has been stored to is read, at " + at);
  case SharedFault::WriteAfterWrite:
    return race("two writes");
  case SharedFault::WriteAfterRead:
    return race("a read and then a write");
  case SharedFault::ReadAfterWrite:
    return race("a write and then a read");
  case SharedFault::Outstanding:
    machine.fail(site,
                 "tensor memory is accessed at " + at +
                     ", to which a store is under way that its thread has not waited for",
                 "tcgen05.wait::st must follow the store");
    return machine.addNote(outcome.otherSite, "the store was issued here");
  default:
    return machine.fail(site, "tensor memory is accessed wrongly at " + at);
  }
}

bool TensorMemory::checkAccess(Machine &machine, uint32_t site, uint32_t word, AccessKind kind,
                               const Accessor &accessor) {
  const Pending &under = pending[word];
  const std::string at = placeText(word / columns, word % columns - firstColumn);
  if (under.products || (kind == AccessKind::Store && under.readers)) {
    machine.fail(site,
                 std::string("tensor memory is ") +
                     (kind == AccessKind::Load ? "read" : "written") + " at " + at + " while " +
                     (under.products ? "a product that may be under way changes it"
                                     : "an operation that may be under way reads it"),
                 "wait first: for a load by tcgen05.wait::ld, for a product for a barrier that a "
                 "tcgen05.commit after it names");
    if (under.site != noSite)
      machine.addNote(under.site, "it was issued here");
    return false;
  }
  const SharedMemory::Outcome outcome = records.access(addressOf(word), 1, kind, site, accessor);
  report(machine, site, word, outcome);
  return outcome.fault == SharedFault::None;
}

//===----------------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------------===//

/// Calls `visit` with each lane's operands and the place of each of its words, until it says no.
template <typename Visit> static void forEachWord(GroupExchange &exchange, Visit visit) {
  Machine &machine = *exchange.machine;
  const auto &first = *static_cast<const TensorCopyOperands *>(exchange.operands.front());
  const uint32_t warp = exchange.firstThread / machine.lanesPerWarp();
  constexpr uint32_t rowsOfWarp = layout::nvidia::rowsOfWarp, warpsInTurn = 4;
  for (uint32_t lane = 0; lane < exchange.operands.size(); ++lane) {
    const auto &own = *static_cast<const TensorCopyOperands *>(exchange.operands[lane]);
    if (own.address != first.address)
      return machine.fail(exchange.site,
                          "the lanes of a warp give different addresses of tensor memory");
    for (uint32_t word = 0; word < own.form->words; ++word) {
      const TensorCopyForm::Place place = own.form->locate(lane, word);
      const uint32_t row = rowOf(own.address) + place.row;
      if (row / rowsOfWarp != warp % warpsInTurn)
        return machine.fail(exchange.site,
                            "warp " + std::to_string(warp) + " accesses row " +
                                std::to_string(row) + " of tensor memory, but reaches rows " +
                                std::to_string(warp % warpsInTurn * rowsOfWarp) + " to " +
                                std::to_string(warp % warpsInTurn * rowsOfWarp + rowsOfWarp - 1) +
                                " only");
      if (!visit(lane, word, own, row, columnOf(own.address) + place.column))
        return;
    }
  }
}

void TensorMemory::load(GroupExchange &exchange) {
  Machine &machine = *exchange.machine;
  prepare(machine);
  forEachWord(exchange, [&](uint32_t lane, uint32_t number, const TensorCopyOperands &own,
                            uint32_t row, uint32_t column) {
    const uint32_t thread = exchange.firstThread + lane;
    std::optional<uint32_t> word = findWord(machine, exchange.site, row, column);
    if (!word ||
        !checkAccess(machine, exchange.site, *word, AccessKind::Load, machine.accessorOf(thread)))
      return false;
    own.registers[number] = words[*word];
    ++pending[*word].readers;
    pending[*word].site = exchange.site;
    loads[thread].push_back(*word);
    return true;
  });
}

void TensorMemory::store(GroupExchange &exchange) {
  Machine &machine = *exchange.machine;
  prepare(machine);
  forEachWord(exchange, [&](uint32_t lane, uint32_t number, const TensorCopyOperands &own,
                            uint32_t row, uint32_t column) {
    const uint32_t thread = exchange.firstThread + lane;
    std::optional<uint32_t> word = findWord(machine, exchange.site, row, column);
    if (!word ||
        !checkAccess(machine, exchange.site, *word, AccessKind::Store, machine.accessorOf(thread)))
      return false;
    records.beginWrite(addressOf(*word), 1, exchange.site, machine.accessorOf(thread));
    words[*word] = own.registers[number];
    stores[thread].push_back(*word);
    return true;
  });
}

void TensorMemory::waitForLoads(uint32_t thread) {
  for (uint32_t word : loads[thread])
    --pending[word].readers;
  loads[thread].clear();
}

void TensorMemory::waitForStores(Machine &machine, uint32_t thread) {
  for (uint32_t word : stores[thread])
    records.completeWrite(addressOf(word), 1, machine.accessorOf(thread));
  stores[thread].clear();
}

//===----------------------------------------------------------------------------===//
// Issue of products
//===----------------------------------------------------------------------------===//

/// The address whose low bits the descriptor has.
static uint64_t hostAddressOf(const Machine &machine, uint32_t start) {
  constexpr uint64_t span = uint64_t(1) << descriptorAddressBits;
  const uint64_t base = machine.shared.begin();
  const uint64_t address = base / span * span + start;
  return address < base ? address + span : address;
}

bool TensorMemory::beginOperand(Machine &machine, Product &product, std::vector<Piece> &pieces,
                                uint64_t descriptor, bool alongRows, uint32_t rowCount) {
  const MatrixDescriptor form =
      MatrixDescriptor::decode(descriptor, DescriptorFormat::TensorMemory);
  const uint64_t start = hostAddressOf(machine, form.start);
  const uint32_t bytes = bitsOf(product.atom->a) / 8, inPiece = descriptorUnitBytes / bytes;
  const uint32_t rowStep = alongRows ? inPiece : 1, depthStep = alongRows ? 1 : inPiece;
  const uint32_t issuer[] = {product.thread};
  for (uint32_t row = 0; row < rowCount; row += rowStep)
    for (uint32_t k = 0; k < product.atom->k; k += depthStep) {
      const uint64_t address = form.addressOf(start, row, k, bytes, alongRows);
      if (!machine.beginRead(product.site, issuer, {address, descriptorUnitBytes},
                             /*seesCopies=*/false))
        return false;
      pieces.push_back({address, row, k});
    }
  return true;
}

/// The words of A, packed, row after row.
bool TensorMemory::beginTensorOperand(Machine &machine, Product &product, uint32_t address) {
  const MmaAtom &atom = *product.atom;
  const layout::LinearLayout places = atom.aOperand.map.pseudoInvert();
  const uint32_t bits = bitsOf(atom.a), wordsOfRow = atom.k * bits / 32;
  constexpr uint32_t halfRows = 16, halfOfRows = 64;
  if (atom.m == halfOfRows && ((rowOf(address) ^ rowOf(product.accumulator)) & halfRows)) {
    machine.fail(product.site,
                 "the left operand and the result of a product of 64 rows are in different rows of "
                 "tensor memory",
                 "put both into the same half of each warp's rows");
    return false;
  }
  for (uint32_t row = 0; row < atom.m; ++row)
    for (uint32_t column = 0; column < wordsOfRow; ++column) {
      const uint64_t place =
          places.applyFlat(row | uint64_t(column) * (32 / bits) << places.inShift(dims::Dim1));
      const auto inRow = static_cast<uint32_t>(places.outValue(place, rowDim()));
      const auto inColumn = static_cast<uint32_t>(places.outValue(place, columnDim())) * bits / 32;
      std::optional<uint32_t> word =
          findWord(machine, product.site, rowOf(address) + inRow, columnOf(address) + inColumn);
      if (!word || !checkAccess(machine, product.site, *word, AccessKind::Load,
                                machine.accessorOf(product.thread)))
        return false;
      ++pending[*word].readers;
      pending[*word].site = product.site;
      product.aWords.push_back(*word);
    }
  return true;
}

std::vector<uint32_t> TensorMemory::accumulatorWords(const MmaAtom &atom, uint32_t address) const {
  const layout::LinearLayout places = atom.accumulatorOperand.map.pseudoInvert();
  std::vector<uint32_t> result;
  for (uint32_t row = 0; row < atom.m; ++row)
    for (uint32_t column = 0; column < atom.n; ++column) {
      const uint64_t place = places.applyFlat(row | uint64_t(column) << places.inShift(dims::Dim1));
      const auto inRow = static_cast<uint32_t>(places.outValue(place, rowDim()));
      const auto inColumn = static_cast<uint32_t>(places.outValue(place, columnDim()));
      result.push_back((rowOf(address) + inRow) * columns + columnOf(address) + inColumn);
    }
  return result;
}

bool TensorMemory::beginAccumulator(Machine &machine, const Product &product) {
  const Accessor now = machine.accessorOf(product.thread);
  for (uint32_t word : accumulatorWords(*product.atom, product.accumulator)) {
    if (!findWord(machine, product.site, word / columns, word % columns))
      return false;
    Pending &under = pending[word];
    // Products of one thread are in order, so only the first of several begins anything.
    if (!under.products) {
      if (product.usesAccumulator &&
          !checkAccess(machine, product.site, word, AccessKind::Load, now))
        return false;
      if (!checkAccess(machine, product.site, word, AccessKind::Store, now))
        return false;
    } else if (under.readers) {
      return checkAccess(machine, product.site, word, AccessKind::Store, now);
    }
    ++under.products;
    under.site = product.site;
  }
  return true;
}

void TensorMemory::multiply(Machine &machine, uint32_t site,
                            const TensorProductOperands &operands) {
  prepare(machine);
  const std::optional<DescribedProduct> described = decodeInstruction(
      target::nvidia::sm100Products(), static_cast<ProductKind>(operands.kind),
      operands.description, operands.aInTensorMemory ? Space::TensorMemory : Space::Shared);
  if (!described)
    return machine.fail(site,
                        "there is no product of this kind that has the instruction descriptor");
  Product product{described->atom,
                  site,
                  machine.currentThread(),
                  operands.accumulator,
                  operands.usesAccumulator,
                  described->aAlongRows,
                  described->bAlongRows,
                  {},
                  {},
                  {}};
  for (size_t i = completed; i < products.size(); ++i)
    if (products[i].thread != product.thread)
      return machine.fail(site,
                          "threads issue products that nothing orders: those of one thread alone "
                          "are carried out in order",
                          "have one thread issue them all, or wait for the first");
  const bool hasLeft = operands.aInTensorMemory
                           ? beginTensorOperand(machine, product, static_cast<uint32_t>(operands.a))
                           : beginOperand(machine, product, product.a, operands.a,
                                          product.aAlongRows, product.atom->m);
  if (!hasLeft ||
      !beginOperand(machine, product, product.b, operands.b, product.bAlongRows, product.atom->n) ||
      !beginAccumulator(machine, product))
    return;
  if (machine.completesEarly())
    perform(product);
  products.push_back(std::move(product));
}

void TensorMemory::commit(Machine &machine, uint32_t site, uint64_t address) {
  const size_t count = products.size();
  machine.arriveAfter(site, address, [this, &machine, count] { complete(machine, count); });
}

//===----------------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------------===//

/// Each element of an accumulator from itself, its row of a and its column of b, both along K.
template <typename Number, typename Sum>
static void multiplyAdd(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
                        const MmaAtom &atom, Number decode, Sum sum) {
  using Element = decltype(decode(atom.a, 0u));
  auto decodeAll = [&](MmaType type, const std::vector<uint32_t> &bits) {
    std::vector<Element> numbers;
    numbers.reserve(bits.size());
    for (uint32_t each : bits)
      numbers.push_back(decode(type, each));
    return numbers;
  };
  const std::vector<Element> left = decodeAll(atom.a, a), right = decodeAll(atom.b, b);
  for (uint32_t row = 0; row < atom.m; ++row)
    for (uint32_t column = 0; column < atom.n; ++column)
      sum(row * atom.n + column, &left[row * atom.k], &right[column * atom.k]);
}

void TensorMemory::perform(const Product &product) {
  const MmaAtom &atom = *product.atom;
  const unsigned bits = bitsOf(atom.a), bytes = bits / 8, inPiece = descriptorUnitBytes / bytes;
  // Rows of K elements each.
  auto gather = [&](const std::vector<Piece> &pieces, bool alongRows, uint32_t rowCount) {
    std::vector<uint32_t> elements(size_t(rowCount) * atom.k);
    for (const Piece &piece : pieces)
      for (uint32_t i = 0; i < inPiece; ++i)
        std::memcpy(&elements[piece.row * atom.k + piece.depth + i * (alongRows ? atom.k : 1)],
                    reinterpret_cast<const uint8_t *>(piece.address) + size_t(i) * bytes, bytes);
    return elements;
  };
  std::vector<uint32_t> a = gather(product.a, product.aAlongRows, atom.m);
  for (size_t i = 0; i < product.aWords.size(); ++i)
    for (unsigned part = 0; part < 32 / bits; ++part)
      a[i * (32 / bits) + part] =
          bits == 32 ? words[product.aWords[i]]
                     : words[product.aWords[i]] >> part * bits & ((1u << bits) - 1);
  const std::vector<uint32_t> b = gather(product.b, product.bAlongRows, atom.n);
  const std::vector<uint32_t> places = accumulatorWords(atom, product.accumulator);
  auto old = [&](uint32_t element) { return product.usesAccumulator ? words[places[element]] : 0; };
  if (atom.accumulator == MmaType::S32)
    return multiplyAdd(
        a, b, atom,
        [](MmaType type, uint32_t each) { return static_cast<int32_t>(decodeInteger(type, each)); },
        [&](uint32_t element, const int32_t *left, const int32_t *right) {
          uint32_t sum = old(element);
          for (unsigned k = 0; k < atom.k; ++k)
            sum += static_cast<uint32_t>(left[k] * right[k]);
          words[places[element]] = sum;
        });
  const bool isHalf = atom.accumulator == MmaType::F16;
  multiplyAdd(
      a, b, atom, [](MmaType type, uint32_t each) { return decodeFactor(type, each).value; },
      [&](uint32_t element, const double *left, const double *right) {
        const uint32_t before = old(element);
        double sum = isHalf ? runtime::decode(runtime::float16, before & 0xffff)
                            : std::bit_cast<float>(before);
        for (unsigned k = 0; k < atom.k; ++k)
          sum += left[k] * right[k];
        words[places[element]] = isHalf ? runtime::encode(runtime::float16, static_cast<float>(sum))
                                        : std::bit_cast<uint32_t>(static_cast<float>(sum));
      });
}

void TensorMemory::complete(Machine &machine, size_t count) {
  const Accessor unit = machine.accessorOfUnits();
  for (; completed < count; ++completed) {
    Product &product = products[completed];
    if (!machine.completesEarly())
      perform(product);
    for (const std::vector<Piece> *pieces : {&product.a, &product.b})
      for (const Piece &piece : *pieces)
        machine.shared.completeRead(piece.address, descriptorUnitBytes, product.site, {&unit, 1});
    for (uint32_t word : product.aWords)
      --pending[word].readers;
    for (uint32_t word : accumulatorWords(*product.atom, product.accumulator))
      if (!--pending[word].products)
        records.completeWrite(addressOf(word), 1, unit);
    product = Product{product.atom,
                      product.site,
                      product.thread,
                      product.accumulator,
                      false,
                      false,
                      false,
                      {},
                      {},
                      {}};
  }
}
