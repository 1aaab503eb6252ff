//===- AtomArguments.h - Atoms on the command line ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_ATOMARGUMENTS_H
#define TILEWRIGHT_CLI_LAYOUT_ATOMARGUMENTS_H

#include "cli/Namespaces.h"
#include "target/Target.h"
#include "tilewright/Expected.h"

#include <string>

namespace tilewright::cli {

/// An operand of an atom, and how the user is told of it: "mma.m16n8k16.f32.f16.f16, operand c".
struct NamedOperand {
  std::string title;
  const target::AtomOperand *operand;
  unsigned elementBits;
};

/// The operand `operand` of the atom `name` of the target called `target`; of any, the first that
/// has it, if that is empty. Of products: a, b and c (which is d as well); of copies: src and dst.
/// If it is empty, c or the side in registers (dst where there is none). Part of a name that ends
/// before a full stop stands for the first atom that begins with it. Errors: no such target, atom
/// or operand; each says which there are.
Expected<NamedOperand> findOperand(const std::string &name, const std::string &operand,
                                   const std::string &target);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_ATOMARGUMENTS_H
