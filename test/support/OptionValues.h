//===- OptionValues.h - Values of options for tests -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_OPTIONVALUES_H
#define TILEWRIGHT_TEST_SUPPORT_OPTIONVALUES_H

#include "tilewright/CompileOptions.h"

namespace tilewright::test {

// A value that no option has at first.
inline void change(std::string &value) { value = "other"; }
inline void change(int &value) { value = 7; }
inline void change(bool &value) { value = true; }
inline void change(std::vector<std::string> &value) { value = {"first", "second"}; }
template <typename T> void change(std::optional<T> &value) { change(value.emplace()); }

/// Options of which none has its initial value.
inline CompileOptions changedOptions() {
  CompileOptions options;
  forEachOption([&](const auto &row) { change(row.of(options)); });
  return options;
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_SUPPORT_OPTIONVALUES_H
