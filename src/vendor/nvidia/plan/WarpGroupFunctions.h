//===- WarpGroupFunctions.h - wgmma as functions in LLVM IR ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM has intrinsics for the fence and the groups of wgmma, but none for the product, nor for a
// wait that says which registers may be read after it. These two are calls of functions that are
// declared and never defined. The simulator runs them (simulate/WarpGroupProducts.cpp); the back
// end makes PTX of them (emit/ExpandWarpGroup.cpp).
//
//     {float x 64} @tilewright.wgmma.m64n128k16.f32.f16.f16.ss(
//         float x 64 c, i64 a, i64 b, i1 usesC, i1 aAlongRows, i1 bAlongRows)
//
// The name is that of the atom (target/NvidiaAtoms.h). The accumulator is what a thread has of it,
// one value a register: f32 or i32, which is also two of f16. a and b are descriptors
// (MatrixDescriptor.h); of the atoms named .rs a is four i32. Without usesC the accumulator counts
// as zero. The last two are constants: whether an operand in memory is contiguous along M or N.
// The registers of the result hold it once a wait has said so; until then they may only be the
// accumulator of another product and pass through waits.
//
//     {float, .., i32, ..} @tilewright.wgmma.wait_group.f32x64.i32x8(i32 left, float .., i32 ..)
//
// Waits until at most `left` (a constant) groups are under way. It gives the registers back: what
// is read of them is read after the wait. The name says their types, as a function has one type.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPFUNCTIONS_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPFUNCTIONS_H

#include "target/NvidiaAtoms.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tilewright::vendor::nvidia {

inline constexpr std::string_view warpGroupPrefix = "tilewright.wgmma.";
inline constexpr std::string_view warpGroupWaitPrefix = "tilewright.wgmma.wait_group";
inline constexpr unsigned warpGroupThreads = 128;
/// Registers of A, where it is in registers.
inline constexpr unsigned operandRegisters = 4;

inline bool hasOperandInRegisters(const target::MmaAtom &atom) {
  return atom.aOperand.space == target::Space::Registers;
}

/// Registers of the accumulator that a thread has.
inline unsigned accumulatorRegisters(const target::MmaAtom &atom) {
  return atom.m * atom.n / warpGroupThreads * bitsOf(atom.accumulator) / 32;
}

inline std::string productFunction(const target::MmaAtom &atom) {
  return "tilewright." + atom.name;
}

/// The atom of a product's function; null where the name is none.
inline const target::MmaAtom *findProduct(std::string_view function) {
  static const std::map<std::string, const target::MmaAtom *, std::less<>> atoms = [] {
    std::map<std::string, const target::MmaAtom *, std::less<>> byName;
    for (const target::MmaAtom &atom : target::nvidia::sm90Products())
      if (atom.issuer == target::Issuer::WarpGroup)
        byName.emplace(productFunction(atom), &atom);
    return byName;
  }();
  auto found = atoms.find(function);
  return found == atoms.end() ? nullptr : found->second;
}

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPFUNCTIONS_H
