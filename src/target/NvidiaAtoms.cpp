//===- NvidiaAtoms.cpp - Copies and products of NVIDIA's GPUs -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Copies: PTX ISA, "Data Movement and Conversion Instructions": ldmatrix (sm_75), stmatrix
// (sm_90), cp.async (sm_80: 4, 8 and 16 bytes), ld.global of 256 bits (sm_100). "tcgen05.ld",
// "tcgen05.st" and the figures of "Data movement shape" (sm_100a): the rows of a copy are counted
// from the warp's first, columns in words; where one does its atom several times, the further ones
// follow along columns. Of 16x32bx2 the upper half of the lanes has columns of its own.
//
// Products: PTX ISA, "Matrix Fragments" of mma.sync and of wgmma; fp8 from sm_89 on. Only N that
// are powers of two are listed of wgmma (any multiple of 8 up to 256 exists): maps are linear. Its
// operands in shared memory are named by descriptors: rows of 16 bytes are contiguous, all else is
// strided; the swizzles of 32, 64 and 128 bytes (layout/encoding/NvidiaMma.h, NvmmaShared) add to
// that by XOR. Only elements of 16 bits may be contiguous along M or N as well as along K.
//
// The source for tcgen05.mma is "tcgen05: Kind and shape", with cta_group::1. One thread issues it
// for the block. B lies as for wgmma, and A so, or in tensor memory, where the accumulator is. A
// product of 64 rows takes as long as one of 128.
//
// Cycles, from the products that a unit of a multiprocessor's quarter does in one: the dense peak
// of the whitepapers of A100, A40, L40, H100 and RTX PRO 6000. mma.sync of sm_90 and sm_100 is
// taken for as fast as that of sm_80: it does not reach what wgmma and tcgen05 do.
//
// Latencies of mma.sync: the cycles that ptxas 13.0.88 leaves between two of which one adds to what
// the other gives, as its instructions' stall counts say (nvdisasm -hex); they are those in front
// of other readers, too. It makes two instructions of one of 8-bit floats where the unit has none
// (sm_90, sm_100). For wgmma and tcgen05.mma nothing is stated: their results are taken to come as
// much later than their last cycle as those of mma.sync.
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaAtoms.h"

#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/TensorMemory.h"

#include <map>

namespace tilewright::target::nvidia {

using layout::Dim;
using layout::LinearLayout;
namespace dims = layout::dims;
using layout::nvidia::Mma;

CopyAtom matrixCopy(std::string name, bool isLoad, bool isTransposed) {
  const Dim inRegister = isTransposed ? dims::Dim0 : dims::Dim1;
  const Dim across = isTransposed ? dims::Dim1 : dims::Dim0;
  AtomOperand registers = {Space::Registers,
                           (LinearLayout::identity1D(2, dims::Register, inRegister) *
                            LinearLayout::identity1D(4, dims::Lane, inRegister) *
                            LinearLayout::identity1D(8, dims::Lane, across))
                               .transposeOuts({dims::Dim0, dims::Dim1})};
  AtomOperand memory = {Space::Shared, (LinearLayout::identity1D(8, dims::Offset, dims::Dim1) *
                                        LinearLayout::identity1D(8, dims::Lane, dims::Dim0))
                                           .transposeOuts({dims::Dim0, dims::Dim1})};
  CopyAtom atom;
  atom.name = std::move(name);
  atom.issuer = Issuer::Warp;
  atom.elementBits = 16;
  atom.source = isLoad ? memory : registers;
  atom.destination = isLoad ? registers : memory;
  atom.maxTimes = 4;
  // See Nvidia.cpp.
  atom.latency = isLoad ? 2 : 0;
  return withForms(std::move(atom));
}

namespace {

//===----------------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------------===//

/// A copy between registers and tensor memory: (register, lane) -> (row, column) by the images of
/// the bits, as {row, column}.
struct TensorMemoryShape {
  const char *name;
  std::vector<std::vector<uint64_t>> registers, lanes;
  unsigned columns, maxTimes;
  bool splitsLanes = false;
};

CopyAtom tensorMemoryCopy(const TensorMemoryShape &shape, bool isLoad) {
  const bool is32Rows = shape.lanes.back() == std::vector<uint64_t>{16, 0};
  const unsigned rows = is32Rows ? 32 : 16;
  const std::pair<Dim, uint64_t> sizes[] = {{dims::Dim0, rows}, {dims::Dim1, shape.columns}};
  const layout::InputBases bases[] = {{dims::Register, shape.registers}, {dims::Lane, shape.lanes}};
  LinearLayout address =
      LinearLayout::identity1D(rows, pitchDim(), dims::Dim0) *
      LinearLayout::identity1D(shape.columns, shape.splitsLanes ? dims::Lane : pitchDim(),
                               dims::Dim1);
  AtomOperand registers = {Space::Registers, *LinearLayout::fromBases(bases, sizes)};
  AtomOperand memory = {Space::TensorMemory, std::move(address)};
  CopyAtom atom;
  atom.name = std::string(isLoad ? "tcgen05.ld." : "tcgen05.st.") + shape.name;
  atom.issuer = Issuer::Warp;
  atom.isAsync = true;
  atom.elementBits = 32;
  atom.source = isLoad ? memory : registers;
  atom.destination = isLoad ? registers : memory;
  atom.maxTimes = shape.maxTimes;
  return withForms(std::move(atom));
}

void addTensorMemoryCopies(std::vector<CopyAtom> &list) {
  const TensorMemoryShape shapes[] = {
      {"32x32b", {}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, 1, 128},
      {"16x256b", {{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, 8, 32},
      {"16x128b", {{8, 0}}, {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}, 4, 64},
      {"16x64b", {}, {{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}}, 2, 128},
      {"16x32bx2", {}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 1}}, 2, 128, /*splitsLanes=*/true}};
  for (bool isLoad : {true, false})
    for (const TensorMemoryShape &shape : shapes)
      list.push_back(tensorMemoryCopy(shape, isLoad));
}

std::vector<CopyAtom> listCopies(bool hasMatrixStores, unsigned maxGlobalBits) {
  std::vector<CopyAtom> list;
  addLaneCopies(list, "ld.shared.b", Space::Shared, Space::Registers, 128);
  list.push_back(matrixCopy("ldmatrix", true, false));
  list.push_back(matrixCopy("ldmatrix.trans", true, true));
  addLaneCopies(list, "st.shared.b", Space::Registers, Space::Shared, 128);
  if (hasMatrixStores) {
    list.push_back(matrixCopy("stmatrix", false, false));
    list.push_back(matrixCopy("stmatrix.trans", false, true));
  }
  addLaneCopies(list, "ld.global.b", Space::Global, Space::Registers, maxGlobalBits);
  addLaneCopies(list, "st.global.b", Space::Registers, Space::Global, maxGlobalBits);
  for (unsigned bytes : {4, 8, 16}) {
    CopyAtom atom =
        laneCopy("cp.async." + std::to_string(bytes), Space::Global, Space::Shared, 8 * bytes);
    atom.isAsync = true;
    list.push_back(std::move(atom));
  }
  return list;
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

/// Operand `opIdx` of the instruction in registers, of this shape.
LinearLayout operandMap(const Mma &mma, unsigned opIdx, MmaType type, unsigned rows,
                        unsigned columns) {
  const unsigned kWidth = std::max(1u, 32 / bitsOf(type));
  const int64_t shape[] = {rows, columns};
  return operandLayout(mma, opIdx, kWidth, shape).removeZeroBasesAlong(dims::Register);
}

/// Latencies of mma.sync: where A fills 16 x 32 bytes, where it fills half of that, and of f64 and
/// 8-bit floats.
struct WarpLatencies {
  unsigned full, half, f64, float8;
};

constexpr WarpLatencies AmpereLatencies = {24, 16, 18, 24}, HopperLatencies = {24, 16, 16, 48},
                        BlackwellLatencies = {20, 20, 16, 40}, Sm120Latencies = {29, 29, 584, 29};

/// mma.sync. m8n8k4 is the upper half of the fragments' 16 rows.
MmaAtom warpProduct(unsigned m, unsigned n, unsigned k, MmaType d, MmaType a, MmaType b,
                    unsigned productsPerCycle, unsigned latency) {
  const Mma mma = {2, 0, {1, 1}, {16, 8}};
  const int64_t shape[] = {m, n};
  MmaAtom atom;
  atom.name = mmaName("mma", m, n, k, d, a, b);
  atom.m = m;
  atom.n = n;
  atom.k = k;
  atom.accumulator = d;
  atom.a = a;
  atom.b = b;
  atom.aOperand.map = operandMap(mma, 0, a, m, k).dropIn(dims::Warp).dropIn(dims::Block);
  atom.bOperand.map = operandMap(mma, 1, b, k, n).dropIn(dims::Warp).dropIn(dims::Block);
  atom.accumulatorOperand.map = toLinearLayout(mma, shape)
                                    .removeZeroBasesAlong(dims::Register)
                                    .dropIn(dims::Warp)
                                    .dropIn(dims::Block);
  atom.cycles = m * n * k / productsPerCycle;
  atom.latency = std::max(atom.cycles, latency);
  return atom;
}

/// The tile of a descriptor: rows of 16 bytes along `contiguous`; of all that is beyond
/// each bit has a pitch.
AtomOperand describedOperand(unsigned rows, unsigned columns, Dim contiguous, MmaType type) {
  const bool alongRows = contiguous == dims::Dim0;
  const Dim other = alongRows ? dims::Dim1 : dims::Dim0;
  const unsigned length = alongRows ? rows : columns, count = alongRows ? columns : rows;
  const unsigned inRow = 128 / bitsOf(type);
  return {Space::Shared,
          (LinearLayout::identity1D(inRow, dims::Offset, contiguous) *
           LinearLayout::identity1D(length / inRow, pitchDim(), contiguous) *
           LinearLayout::identity1D(count, pitchDim(), other))
              .transposeOuts({dims::Dim0, dims::Dim1}),
          bitsOf(type) == 16};
}

/// The rows of a wgmma.
constexpr unsigned warpGroupRows = 64;

/// What `make` gives for a key, made once. Atoms of several types share maps: there are 200 atoms
/// of wgmma and 30 maps, and every process that compiles a product makes them anew.
template <typename Key, typename Value, typename Make>
const Value &remember(std::map<Key, Value> &known, Key key, Make make) {
  auto [place, isNew] = known.try_emplace(key);
  if (isNew)
    place->second = make();
  return place->second;
}

class WarpGroupMaps {
public:
  const LinearLayout &accumulator(unsigned n) {
    return remember(accumulators, n, [&] {
      const int64_t shape[] = {warpGroupRows, n};
      return toLinearLayout(Mma{3, 0, {4, 1}, {16, n, 16}}, shape).dropIn(dims::Block);
    });
  }

  /// A, in registers: of elements of as many bits as `type` has.
  const LinearLayout &left(MmaType type) {
    return remember(lefts, bitsOf(type), [&] {
      const unsigned k = 256 / bitsOf(type);
      return operandMap({3, 0, {4, 1}, {16, 8, k}}, 0, type, warpGroupRows, k).dropIn(dims::Block);
    });
  }

  /// B, in shared memory.
  const AtomOperand &right(unsigned n, MmaType type) {
    return remember(rights, std::pair(n, bitsOf(type)),
                    [&] { return describedOperand(256 / bitsOf(type), n, dims::Dim0, type); });
  }

private:
  std::map<unsigned, LinearLayout> accumulators, lefts;
  std::map<std::pair<unsigned, unsigned>, AtomOperand> rights;
};

MmaAtom warpGroupProduct(unsigned n, MmaType d, MmaType a, MmaType b, bool aInRegisters,
                         WarpGroupMaps &maps) {
  const unsigned m = warpGroupRows, k = 256 / bitsOf(a);
  MmaAtom atom;
  atom.name = mmaName("wgmma", m, n, k, d, a, b) + (aInRegisters ? ".rs" : ".ss");
  atom.issuer = Issuer::WarpGroup;
  atom.isAsync = true;
  atom.m = m;
  atom.n = n;
  atom.k = k;
  atom.accumulator = d;
  atom.a = a;
  atom.b = b;
  if (aInRegisters)
    atom.aOperand.map = maps.left(a);
  else
    atom.aOperand = describedOperand(m, k, dims::Dim1, a);
  atom.bOperand = maps.right(n, b);
  atom.accumulatorOperand.map = maps.accumulator(n);
  // Each of the four warps has a unit, which does 512 products of 16 bits in a cycle.
  atom.cycles = m * n * k / (4 * 512 * 16 / bitsOf(a));
  // mma.sync of the same unit takes 8 cycles.
  atom.latency = atom.cycles + HopperLatencies.full - 8;
  return atom;
}

using enum MmaType;

/// `f16PerCycle` and `f64PerHundredCycles`: products of one unit.
std::vector<MmaAtom> listWarpProducts(unsigned f16PerCycle, unsigned f64PerHundredCycles,
                                      bool hasFloat8, const WarpLatencies &latencies) {
  std::vector<MmaAtom> list;
  auto add = [&](unsigned k, MmaType d, MmaType a, MmaType b) {
    const bool isFloat8 = a == E4m3 || a == E5m2;
    const unsigned latency = isFloat8               ? latencies.float8
                             : k * bitsOf(a) == 256 ? latencies.full
                                                    : latencies.half;
    list.push_back(warpProduct(16, 8, k, d, a, b, f16PerCycle * 16 / bitsOf(a), latency));
  };
  for (unsigned k : {16, 8}) {
    add(k, F32, F16, F16);
    add(k, F16, F16, F16);
    add(k, F32, Bf16, Bf16);
  }
  for (unsigned k : {8, 4})
    add(k, F32, Tf32, Tf32);
  for (unsigned k : {32, 16})
    for (MmaType a : {S8, U8})
      for (MmaType b : {S8, U8})
        add(k, S32, a, b);
  if (hasFloat8)
    for (MmaType a : {E4m3, E5m2})
      for (MmaType b : {E4m3, E5m2})
        add(32, F32, a, b);
  MmaAtom f64 = warpProduct(8, 8, 4, F64, F64, F64, 1, 0);
  f64.cycles = 100 * f64.cycles / f64PerHundredCycles;
  f64.latency = std::max(f64.cycles, latencies.f64);
  list.push_back(std::move(f64));
  return list;
}

struct Types {
  MmaType d, a, b;
};

/// The types that wgmma and tcgen05.mma multiply; without those of bytes, which some GPUs lack.
std::vector<Types> listTypes(bool hasBytes) {
  std::vector<Types> all = {{F32, F16, F16}, {F16, F16, F16}, {F32, Bf16, Bf16}, {F32, Tf32, Tf32}};
  for (MmaType a : {E4m3, E5m2})
    for (MmaType b : {E4m3, E5m2}) {
      all.push_back({F32, a, b});
      all.push_back({F16, a, b});
    }
  for (MmaType a : {S8, U8})
    for (MmaType b : {S8, U8})
      if (hasBytes)
        all.push_back({S32, a, b});
  return all;
}

void addWarpGroupProducts(std::vector<MmaAtom> &list) {
  WarpGroupMaps maps;
  for (Types types : listTypes(/*hasBytes=*/true))
    for (bool aInRegisters : {false, true})
      for (unsigned n = 8; n <= 256; n *= 2)
        list.push_back(warpGroupProduct(n, types.d, types.a, types.b, aInRegisters, maps));
}

/// The maps of tcgen05.mma that atoms of several types share.
class BlockMaps {
public:
  const AtomOperand &accumulator(unsigned m, unsigned n) {
    return remember(accumulators, std::pair(m, n), [&] { return inTensorMemory(m, n, 1); });
  }
  /// A, in shared or in tensor memory; of M x K.
  const AtomOperand &left(unsigned m, MmaType type, Space space) {
    const unsigned k = 256 / bitsOf(type);
    return remember(lefts, std::tuple(m, bitsOf(type), space), [&] {
      return space == Space::Shared ? describedOperand(m, k, dims::Dim1, type)
                                    : inTensorMemory(m, k, 1);
    });
  }
  /// B, in shared memory; of K x N.
  const AtomOperand &right(unsigned n, MmaType type) {
    return remember(rights, std::pair(n, bitsOf(type)),
                    [&] { return describedOperand(256 / bitsOf(type), n, dims::Dim0, type); });
  }

private:
  static AtomOperand inTensorMemory(unsigned rows, unsigned columns, unsigned colStride) {
    const int64_t shape[] = {rows, columns};
    return {Space::TensorMemory,
            toLinearLayout(layout::nvidia::TensorMemory{rows, columns, colStride}, shape)};
  }

  std::map<std::pair<unsigned, unsigned>, AtomOperand> accumulators, rights;
  std::map<std::tuple<unsigned, unsigned, Space>, AtomOperand> lefts;
};

MmaAtom blockProduct(unsigned m, unsigned n, Types types, Space aSpace, BlockMaps &maps) {
  const unsigned k = 256 / bitsOf(types.a);
  MmaAtom atom;
  atom.name = mmaName("tcgen05", m, n, k, types.d, types.a, types.b) +
              (aSpace == Space::Shared ? ".ss" : ".ts");
  atom.issuer = Issuer::Block;
  atom.isAsync = true;
  atom.m = m;
  atom.n = n;
  atom.k = k;
  atom.accumulator = types.d;
  atom.a = types.a;
  atom.b = types.b;
  atom.aOperand = maps.left(m, types.a, aSpace);
  atom.bOperand = maps.right(n, types.b);
  atom.accumulatorOperand = maps.accumulator(m, n);
  // The multiprocessor's unit does 128 rows of 16-bit products at a time, 4096 in a cycle.
  atom.cycles = std::max(1u, 128 * n * k / (4096 * 16 / bitsOf(types.a)));
  atom.latency = atom.cycles + BlackwellLatencies.full - 8;
  return atom;
}

void addBlockProducts(std::vector<MmaAtom> &list, bool hasBytes) {
  BlockMaps maps;
  for (Types types : listTypes(hasBytes))
    for (unsigned m : {64, 128})
      for (Space aSpace : {Space::Shared, Space::TensorMemory})
        for (unsigned n = m == 64 ? 8 : 16; n <= 256; n *= 2)
          list.push_back(blockProduct(m, n, types, aSpace, maps));
}

} // namespace

std::span<const CopyAtom> ampereCopies() {
  static const std::vector<CopyAtom> list = listCopies(false, 128);
  return list;
}

std::span<const CopyAtom> hopperCopies() {
  static const std::vector<CopyAtom> list = listCopies(true, 128);
  return list;
}

std::span<const CopyAtom> blackwellCopies() {
  static const std::vector<CopyAtom> list = listCopies(true, 256);
  return list;
}

std::span<const CopyAtom> sm100Copies() {
  static const std::vector<CopyAtom> list = [] {
    std::vector<CopyAtom> result = listCopies(true, 256);
    addTensorMemoryCopies(result);
    return result;
  }();
  return list;
}

std::span<const MmaAtom> sm80Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(256, 1600, false, AmpereLatencies);
  return list;
}

std::span<const MmaAtom> sm86Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(128, 50, false, AmpereLatencies);
  return list;
}

std::span<const MmaAtom> sm89Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(128, 50, true, AmpereLatencies);
  return list;
}

std::span<const MmaAtom> sm120Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(128, 50, true, Sm120Latencies);
  return list;
}

std::span<const MmaAtom> sm90Products() {
  static const std::vector<MmaAtom> list = [] {
    std::vector<MmaAtom> result = listWarpProducts(256, 3200, true, HopperLatencies);
    addWarpGroupProducts(result);
    return result;
  }();
  return list;
}

static std::vector<MmaAtom> listWithTensorMemory(bool hasBytes) {
  std::vector<MmaAtom> list = listWarpProducts(256, 1600, true, BlackwellLatencies);
  addBlockProducts(list, hasBytes);
  return list;
}

std::span<const MmaAtom> sm100Products() {
  static const std::vector<MmaAtom> list = listWithTensorMemory(/*hasBytes=*/true);
  return list;
}

std::span<const MmaAtom> sm103Products() {
  static const std::vector<MmaAtom> list = listWithTensorMemory(/*hasBytes=*/false);
  return list;
}

} // namespace tilewright::target::nvidia
