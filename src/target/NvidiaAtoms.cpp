//===- NvidiaAtoms.cpp - Copies and products of NVIDIA's GPUs -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Copies: PTX ISA, "Data Movement and Conversion Instructions": ldmatrix (sm_75), stmatrix
// (sm_90), cp.async (sm_80: 4, 8 and 16 bytes), ld.global of 256 bits (sm_100).
//
// Products: PTX ISA, "Matrix Fragments" of mma.sync and of wgmma; fp8 from sm_89 on. Only N that
// are powers of two are listed of wgmma (any multiple of 8 up to 256 exists): maps are linear. Its
// operands in shared memory are named by descriptors: rows of 16 bytes are contiguous, all else is
// strided; the swizzles of 32, 64 and 128 bytes (layout/encoding/NvidiaMma.h, NvmmaShared) add to
// that by XOR. Only elements of 16 bits may be contiguous along M or N as well as along K.
//
// Cycles, from the products that a unit of a multiprocessor's quarter does in one: the dense peak
// of the whitepapers of A100, A40, L40, H100 and RTX PRO 6000. mma.sync of sm_90 and sm_100 is
// taken for as fast as that of sm_80: it does not reach what wgmma and tcgen05 do.
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaAtoms.h"

#include "layout/encoding/NvidiaMma.h"

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

/// mma.sync. m8n8k4 is the upper half of the fragments' 16 rows.
MmaAtom warpProduct(unsigned m, unsigned n, unsigned k, MmaType d, MmaType a, MmaType b,
                    unsigned productsPerCycle) {
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

/// The maps of wgmma that atoms of several types share: there are 200 atoms and 30 maps, and every
/// process that compiles a product makes them anew.
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
  template <typename Key, typename Value, typename Make>
  static const Value &remember(std::map<Key, Value> &known, Key key, Make make) {
    auto [place, isNew] = known.try_emplace(key);
    if (isNew)
      place->second = make();
    return place->second;
  }

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
  return atom;
}

using enum MmaType;

/// `f16PerCycle` and `f64PerHundredCycles`: products of one unit.
std::vector<MmaAtom> listWarpProducts(unsigned f16PerCycle, unsigned f64PerHundredCycles,
                                      bool hasFloat8) {
  std::vector<MmaAtom> list;
  auto add = [&](unsigned k, MmaType d, MmaType a, MmaType b) {
    list.push_back(warpProduct(16, 8, k, d, a, b, f16PerCycle * 16 / bitsOf(a)));
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
  MmaAtom f64 = warpProduct(8, 8, 4, F64, F64, F64, 1);
  f64.cycles = 100 * f64.cycles / f64PerHundredCycles;
  list.push_back(std::move(f64));
  return list;
}

void addWarpGroupProducts(std::vector<MmaAtom> &list) {
  struct Types {
    MmaType d, a, b;
  };
  std::vector<Types> all = {{F32, F16, F16}, {F16, F16, F16}, {F32, Bf16, Bf16}, {F32, Tf32, Tf32}};
  for (MmaType a : {E4m3, E5m2})
    for (MmaType b : {E4m3, E5m2}) {
      all.push_back({F32, a, b});
      all.push_back({F16, a, b});
    }
  for (MmaType a : {S8, U8})
    for (MmaType b : {S8, U8})
      all.push_back({S32, a, b});
  WarpGroupMaps maps;
  for (Types types : all)
    for (bool aInRegisters : {false, true})
      for (unsigned n = 8; n <= 256; n *= 2)
        list.push_back(warpGroupProduct(n, types.d, types.a, types.b, aInRegisters, maps));
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

std::span<const MmaAtom> sm80Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(256, 1600, false);
  return list;
}

std::span<const MmaAtom> sm86Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(128, 50, false);
  return list;
}

std::span<const MmaAtom> sm89Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(128, 50, true);
  return list;
}

std::span<const MmaAtom> sm90Products() {
  static const std::vector<MmaAtom> list = [] {
    std::vector<MmaAtom> result = listWarpProducts(256, 3200, true);
    addWarpGroupProducts(result);
    return result;
  }();
  return list;
}

std::span<const MmaAtom> sm100Products() {
  static const std::vector<MmaAtom> list = listWarpProducts(256, 1600, true);
  return list;
}

} // namespace tilewright::target::nvidia
