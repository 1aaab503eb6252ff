//===- Accumulators.cpp - What products of a matrix unit add to ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/matrix/Accumulators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

Accumulators::Accumulators(const MatrixUnits &units, OpBuilder &builder, Location loc,
                           const target::MmaAtom &atom, ArrayRef<Registers> registers)
    : units(units), builder(builder), loc(loc), atom(atom),
      count(static_cast<unsigned>(registers.size())) {
  const unsigned size = llvm::divideCeil(count, units.getAccumulatorsPerFragment(atom));
  SmallVector<Registers> shared(size);
  for (unsigned number = 0; number < count; ++number)
    llvm::append_range(shared[number % size], registers[number]);
  for (const Registers &ofFragment : shared)
    fragments.push_back(
        units.packFragment(builder, loc, atom, ProductOperand::Accumulator, ofFragment));
}

void Accumulators::add(unsigned number, ValueRange a, ValueRange b) {
  SmallVector<Value> &sum = fragments[getFragment(number)];
  sum = units.emitProduct(builder, loc, atom, a, b, sum, getPart(number));
}

SmallVector<Accumulators::Registers> Accumulators::unpack(Type type) const {
  const SmallVector<Registers> unpacked =
      llvm::map_to_vector(fragments, [&](const SmallVector<Value> &fragment) {
        return units.unpackFragment(builder, loc, atom, fragment, type);
      });
  const unsigned each = atom.accumulatorOperand.map.inSize(layout::dims::Register);
  SmallVector<Registers> registers;
  for (unsigned number = 0; number < count; ++number) {
    const ArrayRef<Value> all = unpacked[getFragment(number)];
    registers.emplace_back(all.slice(getPart(number) * each, each));
  }
  return registers;
}
