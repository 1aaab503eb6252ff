//===- CodeChecks.h - Checks of the code that is made of fuzzed kernels -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A compilation that succeeds must give code that the next tool takes: AMD's is assembled by the
// compiler itself, a SPIR-V module is validated by SPIRV-Tools where the build has found it, PTX is
// assembled by the program that the environment variable TILEWRIGHT_PTXAS names.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_FUZZ_CODECHECKS_H
#define TILEWRIGHT_TEST_FUZZ_CODECHECKS_H

#include "tilewright/Compiler.h"

namespace tilewright::fuzz {

/// Aborts, having printed why, if no tool takes the code.
void requireValidCode(const Compilation &compilation);

/// Aborts if the error is the compiler's own fault: an assembler has refused what it was given,
/// though `source` has no assembly of its own, or a module of LLVM IR was not valid.
void requireNoFault(const Diagnostic &error, const Source &source);

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_TEST_FUZZ_CODECHECKS_H
