//===- AtomTest.cpp - The atoms of all targets, element by element --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every map is written out and compared with the tables of the manuals, which are functions here,
// and every product is carried out by its maps.
//
//===--------------------------------------------------------------------------===//

#include "target/Atom.h"

#include "target/Target.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::target;
using layout::Dim;
using layout::DimValue;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

struct Element {
  uint64_t row, column;
  auto operator<=>(const Element &) const = default;
};

Element elementOf(const LinearLayout &map, uint64_t place) {
  uint64_t packed = map.applyFlat(place);
  return {map.outValue(packed, dims::Dim0), map.outValue(packed, dims::Dim1)};
}

/// How many places hold each element.
std::map<Element, unsigned> holdersOf(const LinearLayout &map) {
  std::map<Element, unsigned> holders;
  for (uint64_t place = 0; place < unit(map.totalInBits()); ++place)
    ++holders[elementOf(map, place)];
  return holders;
}

/// Each of rows x columns elements is in `times` places, and there is no other.
void expectCover(const LinearLayout &map, unsigned rows, unsigned columns, unsigned times) {
  std::map<Element, unsigned> holders = holdersOf(map);
  EXPECT_EQ(holders.size(), size_t(rows) * columns);
  for (auto [element, count] : holders) {
    EXPECT_LT(element.row, rows);
    EXPECT_LT(element.column, columns);
    EXPECT_EQ(count, times);
  }
}

const MmaAtom &product(std::string_view target, std::string_view name) {
  for (const MmaAtom &atom : Target::find(target)->products())
    if (atom.name == name)
      return atom;
  throw std::runtime_error("no atom " + std::string(name));
}

const CopyAtom &copy(std::string_view target, std::string_view name) {
  for (const CopyAtom &atom : Target::find(target)->copies())
    if (atom.name == name)
      return atom;
  throw std::runtime_error("no atom " + std::string(name));
}

/// (thread, register) -> element, where threads count lanes, then warps.
using Fragment = std::function<Element(uint64_t thread, uint64_t reg)>;

void expectFragment(const AtomOperand &operand, unsigned registers, const Fragment &fragment) {
  const LinearLayout &map = operand.map;
  EXPECT_EQ(operand.space, Space::Registers);
  EXPECT_EQ(map.inSize(dims::Register), registers);
  for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane)
      for (uint64_t reg = 0; reg < registers; ++reg) {
        std::vector<DimValue> at = {{dims::Register, reg}, {dims::Lane, lane}};
        if (map.hasIn(dims::Warp))
          at.push_back({dims::Warp, warp});
        Element expected = fragment(32 * warp + lane, reg);
        EXPECT_EQ(elementOf(map, map.packInput(at)), expected)
            << "thread " << 32 * warp + lane << ", register " << reg;
      }
}

Fragment transposed(Fragment fragment) {
  return [=](uint64_t t, uint64_t v) {
    Element e = fragment(t, v);
    return Element{e.column, e.row};
  };
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

TEST(MmaAtom, MapsCoverTheirTiles) {
  for (const Target &target : Target::all())
    for (const MmaAtom &atom : target.products()) {
      SCOPED_TRACE(std::string(target.name) + " " + atom.name);
      // gfx11: lanes 16 to 31 hold A and B once more.
      const unsigned times = target.name.starts_with("hip:gfx11") ? 2 : 1;
      // An operand of 64 rows in tensor memory leaves every other 16 rows free.
      auto hasHoles = [&](const AtomOperand &operand) {
        return atom.m == 64 && operand.space == target::Space::TensorMemory;
      };
      expectCover(atom.aOperand.map, atom.m, atom.k, hasHoles(atom.aOperand) ? 2 : times);
      expectCover(atom.bOperand.map, atom.k, atom.n, times);
      expectCover(atom.accumulatorOperand.map, atom.m, atom.n,
                  hasHoles(atom.accumulatorOperand) ? 2 : 1);
      EXPECT_GT(atom.cycles, 0u);
      EXPECT_GE(atom.latency, atom.cycles);
    }
}

// What ptxas leaves between two instructions of which one needs the other, and IGC's table.
TEST(MmaAtom, Latencies) {
  EXPECT_EQ(product("cuda:80", "mma.m16n8k16.f32.f16.f16").latency, 24u);
  EXPECT_EQ(product("cuda:80", "mma.m16n8k8.f32.f16.f16").latency, 16u);
  EXPECT_EQ(product("cuda:90", "mma.m16n8k8.f32.tf32.tf32").latency, 24u);
  EXPECT_EQ(product("cuda:90", "mma.m16n8k32.f32.e4m3.e4m3").latency, 48u);
  EXPECT_EQ(product("cuda:120", "mma.m8n8k4.f64.f64.f64").latency, 584u);
  EXPECT_EQ(product("xpu:pvc", "dpas.m8n16k16.f32.f16.f16").latency, 28u);
}

// D(m, n) is the sum over k of what places hold that the maps give to (m, k) and (k, n).
TEST(MmaAtom, ProductsByMaps) {
  std::set<std::string> done;
  for (const Target &target : Target::all())
    for (const MmaAtom &atom : target.products()) {
      if (atom.n > 32 || !done.insert(std::string(target.name.substr(0, 7)) + atom.name).second)
        continue;
      SCOPED_TRACE(std::string(target.name) + " " + atom.name);
      auto aAt = [](uint64_t m, uint64_t k) { return (7 * m + 3 * k + m * k) % 13; };
      auto bAt = [](uint64_t k, uint64_t n) { return (5 * k + 11 * n + k * n) % 17; };
      auto fill = [](const LinearLayout &map, auto valueAt) {
        std::vector<uint64_t> places(unit(map.totalInBits()));
        for (uint64_t place = 0; place < places.size(); ++place) {
          Element e = elementOf(map, place);
          places[place] = valueAt(e.row, e.column);
        }
        return places;
      };
      std::vector<uint64_t> a = fill(atom.aOperand.map, aAt), b = fill(atom.bOperand.map, bAt);
      // The instruction: it knows places only.
      const LinearLayout aPlace = atom.aOperand.map.pseudoInvert(),
                         bPlace = atom.bOperand.map.pseudoInvert();
      const LinearLayout &d = atom.accumulatorOperand.map;
      for (uint64_t place = 0; place < unit(d.totalInBits()); ++place) {
        Element e = elementOf(d, place);
        uint64_t sum = 0, expected = 0;
        for (uint64_t k = 0; k < atom.k; ++k) {
          sum += a[aPlace.applyFlat(e.row | k << log2Of(atom.m))] *
                 b[bPlace.applyFlat(k | e.column << log2Of(atom.k))];
          expected += aAt(e.row, k) * bAt(k, e.column);
        }
        ASSERT_EQ(sum, expected);
      }
    }
}

// PTX ISA, "Matrix Fragments for mma" and "for wgmma.mma_async".
TEST(MmaAtom, FragmentsOfNvidia) {
  auto accumulator = [](uint64_t t, uint64_t v) {
    return Element{16 * (t / 32) + t % 32 / 4 + 8 * (v >> 1 & 1),
                   2 * (t % 4) + (v & 1) + 8 * (v >> 2)};
  };
  auto bOf = [](Fragment fragment) { return transposed(std::move(fragment)); };
  const MmaAtom &k16 = product("cuda:80", "mma.m16n8k16.f32.f16.f16");
  expectFragment(k16.aOperand, 8, accumulator);
  expectFragment(k16.bOperand, 4, bOf([](uint64_t t, uint64_t v) {
                   return Element{t / 4, 2 * (t % 4) + (v & 1) + 8 * (v >> 1)};
                 }));
  expectFragment(k16.accumulatorOperand, 4, accumulator);
  const MmaAtom &k8 = product("cuda:80", "mma.m16n8k8.f32.bf16.bf16");
  expectFragment(k8.aOperand, 4, accumulator);
  expectFragment(k8.bOperand, 2,
                 bOf([](uint64_t t, uint64_t v) { return Element{t / 4, 2 * (t % 4) + v}; }));
  const MmaAtom &tf32 = product("cuda:80", "mma.m16n8k8.f32.tf32.tf32");
  expectFragment(tf32.aOperand, 4, [](uint64_t t, uint64_t v) {
    return Element{t / 4 + 8 * (v & 1), t % 4 + 4 * (v >> 1)};
  });
  expectFragment(tf32.bOperand, 2,
                 bOf([](uint64_t t, uint64_t v) { return Element{t / 4, t % 4 + 4 * v}; }));
  for (auto [target, name] : {std::pair("cuda:80", "mma.m16n8k32.s32.s8.u8"),
                              std::pair("cuda:89", "mma.m16n8k32.f32.e4m3.e5m2")}) {
    const MmaAtom &bytes = product(target, name);
    expectFragment(bytes.aOperand, 16, [](uint64_t t, uint64_t v) {
      return Element{t / 4 + 8 * (v >> 2 & 1), 4 * (t % 4) + (v & 3) + 16 * (v >> 3)};
    });
    expectFragment(bytes.bOperand, 8, bOf([](uint64_t t, uint64_t v) {
                     return Element{t / 4, 4 * (t % 4) + (v & 3) + 16 * (v >> 2)};
                   }));
    expectFragment(bytes.accumulatorOperand, 4, accumulator);
  }
  const MmaAtom &f64 = product("cuda:80", "mma.m8n8k4.f64.f64.f64");
  auto one = [](uint64_t t, uint64_t) { return Element{t / 4, t % 4}; };
  expectFragment(f64.aOperand, 1, one);
  expectFragment(f64.bOperand, 1, bOf(one));
  expectFragment(f64.accumulatorOperand, 2,
                 [](uint64_t t, uint64_t v) { return Element{t / 4, 2 * (t % 4) + v}; });
  const MmaAtom &group = product("cuda:90", "wgmma.m64n128k16.f32.f16.f16.rs");
  expectFragment(group.accumulatorOperand, 64, accumulator);
  expectFragment(group.aOperand, 8, accumulator);
}

TEST(MmaAtom, OperandsOfWarpGroups) {
  unsigned count = 0;
  for (const MmaAtom &atom : Target::find("cuda:90")->products()) {
    const bool isGroup = atom.name.starts_with("wgmma");
    EXPECT_EQ(atom.issuer, isGroup ? Issuer::WarpGroup : Issuer::Warp);
    EXPECT_EQ(atom.isAsync, isGroup);
    if (!isGroup)
      continue;
    ++count;
    SCOPED_TRACE(atom.name);
    EXPECT_EQ(atom.m, 64u);
    EXPECT_EQ(atom.k * bitsOf(atom.a), 256u);
    EXPECT_EQ(atom.aOperand.space, atom.name.ends_with(".rs") ? Space::Registers : Space::Shared);
    EXPECT_EQ(atom.bOperand.space, Space::Shared);
    EXPECT_EQ(atom.accumulatorOperand.space, Space::Registers);
    // Rows of 16 bytes along K, in either order only of 16 bits.
    EXPECT_EQ(atom.bOperand.map.inSize(dims::Offset) * bitsOf(atom.b), 128u);
    EXPECT_EQ(atom.bOperand.map.basis(dims::Offset, 0, dims::Dim0), 1u);
    EXPECT_EQ(atom.bOperand.inEitherOrder, bitsOf(atom.b) == 16);
  }
  // 16 combinations of types, A in shared memory and in registers, N from 8 to 256.
  EXPECT_EQ(count, 16u * 2 * 6);
  EXPECT_EQ(product("cuda:90", "wgmma.m64n256k16.f32.f16.f16.ss").cycles, 128u);
}

// RDNA3 and RDNA4 Instruction Set Architecture, WMMA; the slots of K as docs/fragments.md has them.
TEST(MmaAtom, FragmentsOfAmd) {
  auto row = [](uint64_t t, uint64_t v) { return Element{t % 16, v}; };
  for (const char *target : {"hip:gfx1100", "hip:gfx1150"})
    for (const MmaAtom &atom : Target::find(target)->products()) {
      SCOPED_TRACE(std::string(target) + " " + atom.name);
      expectFragment(atom.aOperand, 16, row);
      expectFragment(atom.bOperand, 16, transposed(row));
      expectFragment(atom.accumulatorOperand, 8,
                     [](uint64_t t, uint64_t v) { return Element{2 * v + t / 16, t % 16}; });
    }
  for (const char *target : {"hip:gfx1200", "hip:gfx1201"})
    for (const MmaAtom &atom : Target::find(target)->products()) {
      SCOPED_TRACE(std::string(target) + " " + atom.name);
      const uint64_t half = atom.k / 2;
      auto halfRow = [half](uint64_t t, uint64_t v) {
        return Element{t % 16, v + half * (t / 16)};
      };
      expectFragment(atom.aOperand, half, halfRow);
      expectFragment(atom.bOperand, half, transposed(halfRow));
      expectFragment(atom.accumulatorOperand, 8,
                     [](uint64_t t, uint64_t v) { return Element{v + 8 * (t / 16), t % 16}; });
    }
}

// AMD Instinct MI300 Instruction Set Architecture, "Matrix Arithmetic Instructions": blocks of four
// rows of the result, one below the other in a lane's registers, of f64 rows four apart; and of A
// the lanes side by side along K, of f8f6f4 in two runs.
TEST(MmaAtom, FragmentsOfCdna) {
  for (const char *target : {"hip:gfx90a", "hip:gfx942", "hip:gfx950"})
    for (const MmaAtom &atom : Target::find(target)->products()) {
      SCOPED_TRACE(std::string(target) + " " + atom.name);
      const uint64_t size = atom.m, lanesOfK = 64 / size, elements = atom.k / lanesOfK;
      const bool hasRuns = bitsOf(atom.a) == 8 && elements == 32;
      const uint64_t width = hasRuns ? 16 : elements;
      auto row = [=](uint64_t t, uint64_t v) {
        return Element{t % size, v % width + width * (t / size) + lanesOfK * width * (v / width)};
      };
      expectFragment(atom.aOperand, elements, row);
      expectFragment(atom.bOperand, elements, transposed(row));
      const bool isF64 = atom.accumulator == MmaType::F64;
      expectFragment(atom.accumulatorOperand, size * size / 64, [=](uint64_t t, uint64_t v) {
        return isF64 ? Element{4 * v + t / size, t % size}
                     : Element{v % 4 + 4 * (t / size) + 4 * lanesOfK * (v / 4), t % size};
      });
    }
  // LLVM's SISchedule.td, in passes of four cycles.
  EXPECT_EQ(product("hip:gfx942", "mfma.m32n32k8.f32.f16.f16").cycles, 8u);
  EXPECT_EQ(product("hip:gfx942", "mfma.m16n16k16.f32.bf16.bf16").cycles, 4u);
  EXPECT_EQ(product("hip:gfx90a", "mfma.m16n16k16.f32.bf16.bf16").cycles, 8u);
  EXPECT_EQ(product("hip:gfx950", "mfma.m32n32k16.f32.f16.f16").cycles, 8u);
  EXPECT_EQ(product("hip:gfx942", "mfma.m16n16k4.f32.f32.f32").cycles, 8u);
}

// Intel Graphics Compiler, vISA manual, DPAS, with the sub-group's 16 lanes.
TEST(MmaAtom, FragmentsOfIntel) {
  for (unsigned m : {8u, 1u}) {
    const MmaAtom &f16 =
        product("xpu:bmg", mmaName("dpas", m, 16, 16, MmaType::F32, MmaType::F16, MmaType::F16));
    auto row = [](uint64_t t, uint64_t v) { return Element{v, t}; };
    expectFragment(f16.aOperand, m, row);
    expectFragment(f16.bOperand, 16, row);
    expectFragment(f16.accumulatorOperand, m, row);
  }
  const MmaAtom &bytes = product("xpu:pvc", "dpas.m8n16k32.s32.s8.u8");
  expectFragment(bytes.aOperand, 16,
                 [](uint64_t t, uint64_t v) { return Element{v / 2, 2 * t + v % 2}; });
  expectFragment(bytes.bOperand, 32, [](uint64_t t, uint64_t v) { return Element{v, t}; });
  const MmaAtom &tf32 = product("xpu:pvc", "dpas.m8n16k8.f32.tf32.tf32");
  expectFragment(tf32.aOperand, 4,
                 [](uint64_t t, uint64_t v) { return Element{2 * v + t / 8, t % 8}; });
}

TEST(MmaAtom, ListsOfTargets) {
  std::map<std::string_view, size_t> counts;
  for (const Target &target : Target::all()) {
    counts[target.name] = target.products().size();
    EXPECT_EQ(target.products().data(), target.products().data()) << "made anew";
    std::set<std::string> names;
    for (const MmaAtom &atom : target.products())
      EXPECT_TRUE(names.insert(atom.name).second) << atom.name;
  }
  // mma: 6 of 16 bits, 2 of tf32, 8 of bytes, f64; from sm_89 on 4 of fp8. tcgen05: 16 combinations
  // of types, A in shared and in tensor memory, with 6 sizes of N for 64 rows and 5 for 128.
  EXPECT_THAT(counts, testing::ElementsAre(
                          testing::Pair("cuda:100", 21 + 352), testing::Pair("cuda:103", 21 + 264),
                          testing::Pair("cuda:110", 21 + 352), testing::Pair("cuda:120", 21),
                          testing::Pair("cuda:121", 21), testing::Pair("cuda:80", 17),
                          testing::Pair("cuda:86", 17), testing::Pair("cuda:89", 21),
                          testing::Pair("cuda:90", 21 + 192), testing::Pair("hip:gfx1100", 6),
                          testing::Pair("hip:gfx1150", 6), testing::Pair("hip:gfx1200", 11),
                          testing::Pair("hip:gfx1201", 11), testing::Pair("hip:gfx90a", 9),
                          testing::Pair("hip:gfx942", 11), testing::Pair("hip:gfx950", 31),
                          testing::Pair("xpu:bmg", 35), testing::Pair("xpu:lnl", 35),
                          testing::Pair("xpu:ptl", 35), testing::Pair("xpu:pvc", 35)));
}

//===----------------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------------===//

TEST(CopyAtom, BothSidesAreTheSameTile) {
  for (const Target &target : Target::all())
    for (const CopyAtom &atom : target.copies()) {
      SCOPED_TRACE(std::string(target.name) + " " + atom.name);
      EXPECT_TRUE(atom.source.map.isInvertible());
      EXPECT_TRUE(atom.destination.map.isInvertible());
      EXPECT_TRUE(std::equal(atom.source.map.outs().begin(), atom.source.map.outs().end(),
                             atom.destination.map.outs().begin(),
                             atom.destination.map.outs().end()));
    }
}

// The forms are the maps, element by element: what a lane holds in a register is what the memory's
// map has at its position.
TEST(CopyAtom, FormsAreTheMaps) {
  for (const Target &target : Target::all())
    for (const CopyAtom &atom : target.copies()) {
      if (atom.isBetween(Space::Global, Space::Shared))
        continue;
      SCOPED_TRACE(std::string(target.name) + " " + atom.name);
      const AccessForm *form = atom.form(atom.elementBits / 8);
      ASSERT_TRUE(form);
      const LinearLayout &registers = atom.registers().map, &memory = atom.memory().map;
      for (uint64_t lane = 0; lane < unit(form->laneBits); ++lane)
        for (uint64_t reg = 0; reg < unit(form->registerBits); ++reg) {
          auto at = form->locate(static_cast<unsigned>(reg), static_cast<unsigned>(lane));
          uint64_t place = uint64_t(at.offset) << memory.inShift(dims::Offset);
          if (memory.hasIn(dims::Lane))
            place |= uint64_t(at.addressLane) << memory.inShift(dims::Lane);
          if (memory.hasIn(pitchDim()))
            place |= uint64_t(at.row) << memory.inShift(pitchDim());
          uint64_t holder = reg << registers.inShift(dims::Register);
          if (registers.hasIn(dims::Lane))
            holder |= lane << registers.inShift(dims::Lane);
          EXPECT_EQ(registers.applyFlat(holder), memory.applyFlat(place));
        }
    }
}

// RDNA4's loads that transpose: the tile that a wave gets is the fragment of an operand (RDNA4
// Instruction Set Architecture, 11.6.2). Which lane's address an element comes from was measured
// (docs/atoms.md): of 16 bits, groups of eight lanes exchange 8 x 8 elements; of 8 bits the row k
// of the tile is at the lane 8 (k / 4) + k mod 4, and 4 more for its second half.
TEST(CopyAtom, TransposingLoads) {
  const CopyAtom &halves = copy("hip:gfx1201", "global_load_tr_b128"),
                 &bytes = copy("hip:gfx1201", "global_load_tr_b64");
  EXPECT_EQ(halves.destination.map,
            product("hip:gfx1201", "wmma.m16n16k16.f32.f16.f16").bOperand.map);
  EXPECT_EQ(bytes.destination.map,
            product("hip:gfx1201", "wmma.m16n16k16.f32.e4m3.e4m3").bOperand.map);
  EXPECT_FALSE(halves.keepsNeighbors());
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < 8; ++reg) {
      const auto half = halves.form(2)->locate(reg, lane), byte = bytes.form(1)->locate(reg, lane);
      EXPECT_EQ(half.addressLane, lane / 8 * 8 + reg);
      EXPECT_EQ(half.offset, lane % 8);
      const unsigned k = lane / 16 * 8 + reg;
      EXPECT_EQ(byte.addressLane, k / 4 * 8 + k % 4 + lane % 16 / 8 * 4);
      EXPECT_EQ(byte.offset, lane % 8);
    }
}

// PTX ISA, ldmatrix: word m of lane l is bytes 4 (l mod 4) to 4 (l mod 4) + 3 of row l / 4 of
// matrix m, whose row r is at the address of lane 8 m + r; .trans: the elements of column l / 4 in
// rows 2 (l mod 4) and 2 (l mod 4) + 1.
TEST(CopyAtom, Matrices) {
  for (const char *name : {"ldmatrix", "stmatrix"})
    for (unsigned bytes : {1u, 2u, 4u}) {
      const CopyAtom &atom = copy("cuda:90", name);
      const AccessForm *form = atom.form(bytes);
      ASSERT_TRUE(form);
      const unsigned inWord = 4 / bytes;
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned reg = 0; reg < atom.maxTimes * inWord; ++reg) {
          AccessForm::Position at = form->locate(reg, lane);
          EXPECT_EQ(at.addressLane, 8 * (reg / inWord) + lane / 4);
          EXPECT_EQ(at.offset, lane % 4 * inWord + reg % inWord);
        }
      const CopyAtom &trans = copy("cuda:90", std::string(name) + ".trans");
      EXPECT_EQ(trans.form(bytes) != nullptr, bytes == 2);
    }
  const AccessForm *trans = copy("cuda:90", "ldmatrix.trans").form(2);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < 8; ++reg) {
      AccessForm::Position at = trans->locate(reg, lane);
      EXPECT_EQ(at.addressLane, 8 * (reg / 2) + 2 * (lane % 4) + reg % 2);
      EXPECT_EQ(at.offset, lane / 4);
    }
  EXPECT_EQ(copy("cuda:90", "ldmatrix").form(8), nullptr);
  EXPECT_TRUE(copy("cuda:90", "ldmatrix").keepsNeighbors());
  EXPECT_FALSE(copy("cuda:90", "ldmatrix.trans").keepsNeighbors());
  EXPECT_THROW(copy("cuda:89", "stmatrix"), std::runtime_error);
}

TEST(CopyAtom, LanesComeFirstTheNarrowestFirst) {
  for (const Target &target : Target::all()) {
    ExchangeModel memory = target.sharedMemory();
    for (std::span<const CopyAtom> list : {memory.loads, memory.stores}) {
      for (unsigned i = 0; 8u << i <= memory.maxAccessBits; ++i) {
        EXPECT_EQ(list[i].issuer, Issuer::Lane);
        EXPECT_EQ(list[i].bits(), 8u << i);
      }
      for (const CopyAtom &atom : warpCopiesOf(list))
        EXPECT_EQ(atom.issuer, Issuer::Warp);
    }
    std::span<const CopyAtom> loads =
        laneCopiesOf(copiesBetween(target.copies(), Space::Global, Space::Registers));
    EXPECT_EQ(loads.back().bits(), target.global.maxAccessBits) << target.name;
    EXPECT_EQ(memory.withLanesOnly().loads.back().bits(), target.shared.maxAccessBits);
  }
}

TEST(CopyAtom, AsyncCopies) {
  for (const Target &target : Target::all())
    for (unsigned bits : {8u, 16u, 32u, 64u, 128u, 256u}) {
      const CopyAtom *atom = target.findAsyncCopy(bits);
      EXPECT_EQ(atom != nullptr, target.vendor == Vendor::Nvidia && bits >= 32 && bits <= 128);
      if (atom)
        EXPECT_EQ(atom->name, "cp.async." + std::to_string(bits / 8));
    }
}

// A message numbers its elements row by row, one block after the other, or column by column if it
// transposes; with VNNI the 32 bits of a column count as one. Number p is of lane p mod 16.
TEST(CopyAtom, BlockMessagesCount) {
  for (const CopyAtom &atom : Target::find("xpu:bmg")->copies()) {
    if (atom.name.find("block2d") == std::string::npos)
      continue;
    SCOPED_TRACE(atom.name);
    unsigned bits = 0, rows = 0, columns = 0, blocks = 0;
    ASSERT_EQ(sscanf(atom.name.c_str() + atom.name.find(".d"), ".d%u.%ux%ux%u", &bits, &rows,
                     &columns, &blocks),
              4);
    const bool isVnni = atom.name.ends_with(".vnni"), isTransposed = atom.name.ends_with("pose");
    const unsigned packed = isVnni ? 32 / bits : 1;
    const AccessForm *form = atom.form(bits / 8);
    ASSERT_TRUE(form);
    EXPECT_EQ(atom.bits(), bits * rows * columns * blocks);
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column) {
          unsigned p = isTransposed ? row + rows * column
                                    : column + columns * (row / packed + rows / packed * block);
          AccessForm::Position at = form->locate(p / 16 * packed + row % packed, p % 16);
          EXPECT_EQ(at.row, row);
          EXPECT_EQ(at.offset, block * columns + column);
        }
  }
}

} // namespace
