//===- Atom.h - Instructions that copy and multiply, as maps --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An instruction that moves or multiplies a tile is an *atom*: a name and, for each operand,
// where the tile's elements are. The idea is that of CuTe's atoms, with linear maps
// (layout/LinearLayout.h) in place of layouts of shapes and strides.
//
// An operand in registers is a map from (register, lane, warp) to the tile's coordinates
// (dim0, dim1), as of any encoding. An operand in memory is a map to the same coordinates whose
// inputs say what the instruction knows of the address. This is the *address rule*; each bit of a
// coordinate is of one of three classes:
//
//   contiguous   input `offset`: the elements follow each other in memory
//   addressed    input `lane`: the lane of this number gives the address
//   strided      input `pitch`: from one value of the bit to the other is a constant, which the
//                instruction is told: of rows of a matrix, or in a descriptor
//
// Three copies, of elements of 16 bits; `->` is the coordinate that a bit moves, in tiles of
// (row, column):
//
//                    a lane's 16 bytes    ldmatrix, 8 x 8         ldmatrix.trans
//   registers        r0 r1 r2 -> 1 2 4    r0 -> (0,1)             r0 -> (1,0)
//                                         l0 l1 -> (0,2) (0,4)    l0 l1 -> (2,0) (4,0)
//                                         l2 l3 l4 -> (1..4,0)    l2 l3 l4 -> (0,1..4)
//   memory, offset   o0 o1 o2 -> 1 2 4    o0 o1 o2 -> (0,1..4)    o0 o1 o2 -> (0,1..4)
//   memory, lane     (each its own)       l0 l1 l2 -> (1..4,0)    l0 l1 l2 -> (1..4,0)
//
// So what tells the copies apart is which bits of a thread's location are contiguous in memory, and
// which ones are addressed. plan/Fit.h asks this of a layout; docs/atoms.md has the law.
//
// The lists of each target are in <Vendor>Atoms.cpp. A new instruction is a row there, and an
// emitter in the vendor's folder.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_ATOM_H
#define TILEWRIGHT_TARGET_ATOM_H

#include "support/Bits.h"
#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/FixedVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {

/// The memory or registers that hold an operand.
enum class Space : uint8_t { Registers, Shared, Global, TensorMemory };

/// The threads that execute the instruction together: each lane for itself, a warp, four
/// consecutive warps, a block, a cluster of blocks.
enum class Issuer : uint8_t { Lane, Warp, WarpGroup, Block, Cluster };

/// The warps of Issuer::WarpGroup.
inline constexpr unsigned warpsOfGroup = 4;

/// "registers", "shared", "global", "tensor memory".
std::string_view spaceName(Space space);
/// "lane", "warp", "warpgroup", "block", "cluster".
std::string_view issuerName(Issuer issuer);

/// The input of an operand in memory whose bits move by a constant pitch each.
layout::Dim pitchDim();

struct AtomOperand {
  Space space = Space::Registers;
  /// In registers: (register, lane, warp) -> (dim0, dim1). In memory: (offset, lane, pitch) -> the
  /// same coordinates. Inputs that move nothing are left out.
  layout::LinearLayout map;
  /// In memory: the contiguous elements may as well be along the other dimension.
  bool inEitherOrder = false;
};

//===----------------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------------===//

/// A copy between registers and memory, seen with elements of one width: what each bit of an
/// element's position in memory is on the side of the threads. All that planners ask of a copy.
struct AccessForm {
  /// A bit of the number of the register, or of the lane, that holds the element.
  struct ThreadBit {
    bool isLane;
    uint8_t bit;
    friend bool operator==(const ThreadBit &, const ThreadBit &) = default;
  };
  using ThreadBits = FixedVector<ThreadBit, 16>;

  /// The address rule, lowest bits first.
  ThreadBits contiguous, addressed, strided;
  /// log2 of the registers of a lane and of the lanes; what each lane does for itself has no lanes.
  unsigned registerBits = 0, laneBits = 0;

  /// Returns the position of the element that register `reg` of lane `lane` holds: `offset`
  /// elements past the address that lane `addressLane` gives, and `row` pitches further. Registers
  /// from 2^registerBits on are those of the atom's further times (CopyAtom::maxTimes).
  struct Position {
    unsigned addressLane, offset, row;
  };
  Position locate(unsigned reg, unsigned lane) const;
};

struct CopyAtom {
  std::string name;
  Issuer issuer = Issuer::Lane;
  /// Whether it completes later than it is issued, which somebody has to wait for.
  bool isAsync = false;
  /// Width of an element of the maps.
  unsigned elementBits = 8;
  AtomOperand source, destination;
  /// One instruction does the atom up to this many times, a power of two: the lanes that follow
  /// give the addresses of the next, and its registers follow.
  unsigned maxTimes = 1;
  /// Cycles (Costs.h) by which its result comes later than that of a lane's access.
  unsigned latency = 0;
  /// By log2 of the bytes of an element: see form(). Empty for copies from memory to memory.
  std::array<std::optional<AccessForm>, 4> forms = {};

  bool isLoad() const { return destination.space == Space::Registers; }
  bool isBetween(Space from, Space to) const {
    return source.space == from && destination.space == to;
  }
  /// The operand in registers and that in memory, of a copy between the two.
  const AtomOperand &registers() const { return isLoad() ? destination : source; }
  const AtomOperand &memory() const { return isLoad() ? source : destination; }
  /// Bits moved at one time: of a lane, or of all that issue it together.
  unsigned bits() const { return elementBits << source.map.totalOutBits(); }
  /// Whether neighbours in a register are neighbours in memory; if there are none, they are.
  bool keepsNeighbors() const;

  /// The copy with elements of 1, 2, 4 or 8 bytes; null if it cannot move them. It moves those of
  /// its own width; wider ones if their parts stay together in one register as in memory;
  /// narrower ones if it keeps neighbours.
  const AccessForm *form(unsigned elementBytes) const {
    const std::optional<AccessForm> &form = forms[log2Of(elementBytes)];
    return form ? &*form : nullptr;
  }
};

/// A copy whose other members are set, with its forms.
CopyAtom withForms(CopyAtom atom);

/// The copy that each lane does for itself, of `bits` (8, 16, ..) neighboring bits.
CopyAtom laneCopy(std::string name, Space from, Space to, unsigned bits);

/// Adds those of 8 to `maxBits` bits, named `prefix` and the bits.
void addLaneCopies(std::vector<CopyAtom> &list, const std::string &prefix, Space from, Space to,
                   unsigned maxBits);

/// The copies of `list` from one space to another; such stand together in the lists of targets,
/// those of lanes first, the narrowest first.
std::span<const CopyAtom> copiesBetween(std::span<const CopyAtom> list, Space from, Space to);

/// Those of them that each lane does for itself, and the others.
std::span<const CopyAtom> laneCopiesOf(std::span<const CopyAtom> copies);
std::span<const CopyAtom> warpCopiesOf(std::span<const CopyAtom> copies);

/// Loads from shared memory and stores to it by lanes, of 8 to 128 bits: for layouts alone, where
/// no target is known.
std::span<const CopyAtom> anySharedLoads();
std::span<const CopyAtom> anySharedStores();

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

/// Types of elements of products. I8 and I4 are integers of which flags of the instruction say
/// whether they are signed.
enum class MmaType : uint8_t { F64, F32, Tf32, F16, Bf16, E4m3, E5m2, S32, S8, U8, I8, I4 };

/// "f16"; "iu8" and "iu4" for I8 and I4, as AMD writes them.
std::string_view typeName(MmaType type);
/// Bits of an element in a register.
unsigned bitsOf(MmaType type);

/// D = A * B + C with A of M x K, B of K x N, and C and D of M x N in the same places.
struct MmaAtom {
  /// mma.m16n8k16.f32.f16.f16: the family, the shape, the types of D, A and B; of those that take
  /// A from shared memory or from registers, .ss or .rs.
  std::string name;
  Issuer issuer = Issuer::Warp;
  /// Whether it completes later than it is issued. Until then operands in shared memory may not
  /// be written, nor those in registers touched.
  bool isAsync = false;
  unsigned m = 0, n = 0, k = 0;
  MmaType a = MmaType::F16, b = MmaType::F16, accumulator = MmaType::F32;
  /// Maps to (m, k), (k, n) and (m, n).
  AtomOperand aOperand, bOperand, accumulatorOperand;
  /// For how long one keeps the unit busy, or the units of all its warps: cycles of a scheduler.
  unsigned cycles = 0;
  /// Cycles from its issue until its results are there, `cycles` at least: for whom it waits that
  /// reads them. Another product may add to them then, or, where isAsync, in the order of issue.
  unsigned latency = 0;
};

/// The name as MmaAtom::name has it.
std::string mmaName(std::string_view family, unsigned m, unsigned n, unsigned k, MmaType d,
                    MmaType a, MmaType b);

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_ATOM_H
