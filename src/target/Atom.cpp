//===- Atom.cpp - Instructions that copy and multiply, as maps ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Atom.h"

#include <algorithm>
#include <cassert>

namespace tilewright::target {

using layout::Dim;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

/// The bits of input `in` of `threads`, (offset, lane, pitch) -> (register, lane), each of which is
/// one bit of an output.
AccessForm::ThreadBits threadBitsOf(const LinearLayout &threads, Dim in) {
  AccessForm::ThreadBits bits;
  for (uint64_t basis : threads.bases(in)) {
    assert(isPowerOfTwo(basis) && "a bit of an atom's position is a bit of a register or a lane");
    const bool isLane = (basis & threads.outMask(dims::Lane)) != 0;
    const unsigned shift = threads.outShift(isLane ? dims::Lane : dims::Register);
    bits.push_back({isLane, static_cast<uint8_t>(log2Of(basis) - shift)});
  }
  return bits;
}

AccessForm formOf(const LinearLayout &threads) {
  return {threadBitsOf(threads, dims::Offset), threadBitsOf(threads, dims::Lane),
          threadBitsOf(threads, pitchDim()), threads.outBits(dims::Register),
          threads.outBits(dims::Lane)};
}

/// (offset, lane, pitch) -> (register, lane), all of them there.
LinearLayout threadsOf(const CopyAtom &atom) {
  LinearLayout registers = atom.registers().map;
  for (Dim in : {dims::Register, dims::Lane})
    if (!registers.hasIn(in))
      registers *= LinearLayout::identity1D(1, in, dims::Dim0);
  return atom.memory().map.invertAndCompose(registers);
}

} // namespace

std::string_view spaceName(Space space) {
  switch (space) {
  case Space::Registers:
    return "registers";
  case Space::Shared:
    return "shared";
  case Space::Global:
    return "global";
  case Space::TensorMemory:
    return "tensor memory";
  }
  return "";
}

std::string_view issuerName(Issuer issuer) {
  switch (issuer) {
  case Issuer::Lane:
    return "lane";
  case Issuer::Warp:
    return "warp";
  case Issuer::WarpGroup:
    return "warpgroup";
  case Issuer::Block:
    return "block";
  case Issuer::Cluster:
    return "cluster";
  }
  return "";
}

Dim pitchDim() {
  static const Dim dim = Dim::get("pitch");
  return dim;
}

//===----------------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------------===//

AccessForm::Position AccessForm::locate(unsigned reg, unsigned lane) const {
  auto gather = [&](const ThreadBits &bits) {
    unsigned value = 0;
    for (size_t i = 0; i < bits.size(); ++i)
      value |= ((bits[i].isLane ? lane : reg) >> bits[i].bit & 1) << i;
    return value;
  };
  const unsigned time = reg >> registerBits;
  const unsigned naming = laneBits ? gather(addressed) | time << addressed.size() : lane;
  return {naming, gather(contiguous), gather(strided)};
}

bool CopyAtom::keepsNeighbors() const {
  const AccessForm *own = form(elementBits / 8);
  return own && (!own->registerBits || own->contiguous.empty() ||
                 own->contiguous[0] == AccessForm::ThreadBit{false, 0});
}

CopyAtom withForms(CopyAtom atom) {
  const LinearLayout threads = threadsOf(atom);
  const unsigned own = log2Of(atom.elementBits / 8);
  atom.forms[own] = formOf(threads);
  for (unsigned log = 0; log < atom.forms.size(); ++log) {
    if (log > own) {
      auto parts = LinearLayout::identity1D(unit(log - own), dims::Offset, dims::Register);
      if (std::optional<LinearLayout> whole = threads.divideLeft(parts))
        atom.forms[log] = formOf(*whole);
    } else if (log < own && atom.keepsNeighbors()) {
      auto parts = LinearLayout::identity1D(unit(own - log), dims::Offset, dims::Register);
      atom.forms[log] = formOf(parts * threads);
    }
  }
  return atom;
}

CopyAtom laneCopy(std::string name, Space from, Space to, unsigned bits) {
  auto operand = [&](Space space) {
    Dim in = space == Space::Registers ? dims::Register : dims::Offset;
    return AtomOperand{space, LinearLayout::identity1D(bits / 8, in, dims::Dim0)};
  };
  CopyAtom atom;
  atom.name = std::move(name);
  atom.source = operand(from);
  atom.destination = operand(to);
  bool hasRegisters = from == Space::Registers || to == Space::Registers;
  return hasRegisters ? withForms(std::move(atom)) : atom;
}

void addLaneCopies(std::vector<CopyAtom> &list, const std::string &prefix, Space from, Space to,
                   unsigned maxBits) {
  for (unsigned bits = 8; bits <= maxBits; bits *= 2)
    list.push_back(laneCopy(prefix + std::to_string(bits), from, to, bits));
}

std::span<const CopyAtom> copiesBetween(std::span<const CopyAtom> list, Space from, Space to) {
  auto isWanted = [&](const CopyAtom &atom) { return atom.isBetween(from, to); };
  auto first = std::find_if(list.begin(), list.end(), isWanted);
  return {first, std::find_if_not(first, list.end(), isWanted)};
}

std::span<const CopyAtom> laneCopiesOf(std::span<const CopyAtom> copies) {
  auto isLane = [](const CopyAtom &atom) { return atom.issuer == Issuer::Lane; };
  return {copies.begin(), std::find_if_not(copies.begin(), copies.end(), isLane)};
}

std::span<const CopyAtom> warpCopiesOf(std::span<const CopyAtom> copies) {
  return copies.subspan(laneCopiesOf(copies).size());
}

std::span<const CopyAtom> anySharedLoads() {
  static const std::vector<CopyAtom> list = [] {
    std::vector<CopyAtom> result;
    addLaneCopies(result, "load.b", Space::Shared, Space::Registers, 128);
    return result;
  }();
  return list;
}

std::span<const CopyAtom> anySharedStores() {
  static const std::vector<CopyAtom> list = [] {
    std::vector<CopyAtom> result;
    addLaneCopies(result, "store.b", Space::Registers, Space::Shared, 128);
    return result;
  }();
  return list;
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

std::string_view typeName(MmaType type) {
  switch (type) {
  case MmaType::F64:
    return "f64";
  case MmaType::F32:
    return "f32";
  case MmaType::Tf32:
    return "tf32";
  case MmaType::F16:
    return "f16";
  case MmaType::Bf16:
    return "bf16";
  case MmaType::E4m3:
    return "e4m3";
  case MmaType::E5m2:
    return "e5m2";
  case MmaType::S32:
    return "s32";
  case MmaType::S8:
    return "s8";
  case MmaType::U8:
    return "u8";
  case MmaType::I8:
    return "iu8";
  case MmaType::I4:
    return "iu4";
  }
  return "";
}

unsigned bitsOf(MmaType type) {
  switch (type) {
  case MmaType::F64:
    return 64;
  case MmaType::F32:
  case MmaType::Tf32:
  case MmaType::S32:
    return 32;
  case MmaType::F16:
  case MmaType::Bf16:
    return 16;
  case MmaType::E4m3:
  case MmaType::E5m2:
  case MmaType::S8:
  case MmaType::U8:
  case MmaType::I8:
    return 8;
  case MmaType::I4:
    return 4;
  }
  return 0;
}

std::string mmaName(std::string_view family, unsigned m, unsigned n, unsigned k, MmaType d,
                    MmaType a, MmaType b) {
  std::string name(family);
  name += ".m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  for (MmaType type : {d, a, b})
    name += "." + std::string(typeName(type));
  return name;
}

} // namespace tilewright::target
