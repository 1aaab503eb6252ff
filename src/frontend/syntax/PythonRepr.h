//===- PythonRepr.h - Constants in the form of Python's repr() ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PYTHONREPR_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PYTHONREPR_H

#include <string>
#include <string_view>

namespace tilewright::frontend {

/// The shortest text that reads back as the same double: 0.1, 1e+16, inf.
std::string reprOfFloat(double value);

/// UTF-8 text in quotes, with escapes for what does not print.
std::string reprOfString(std::string_view text);

/// b'...'.
std::string reprOfBytes(std::string_view bytes);

/// The decimal digits of an integer literal of any size, given as it is written (with
/// 0x, 0o or 0b, without underscores).
std::string decimalOfInteger(std::string_view literal);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PYTHONREPR_H
