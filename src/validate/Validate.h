//===- Validate.h - A compilation, each of its passes validated -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VALIDATE_VALIDATE_H
#define TILEWRIGHT_VALIDATE_VALIDATE_H

#include "validate/Validator.h"

namespace tilewright::validate {

struct ValidatedCompilation {
  CompileResult compilation;
  Report report;
};

/// Compiles a source, past every cache, and validates each pass. The compilation has failed where a
/// pass is found to change what the program computes, or where what the user gave is no input of
/// the kernel.
ValidatedCompilation compile(const Source &source, const CompileOptions &options,
                             const GivenInput &given);

/// The error that a miscompilation is, at its place in the source.
Diagnostic describe(const Miscompilation &found, const Source &source);
/// Says what was checked and what was not, for people.
std::string render(const Report &report);

} // namespace tilewright::validate

#endif // TILEWRIGHT_VALIDATE_VALIDATE_H
