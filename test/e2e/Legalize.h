//===- Legalize.h - What the code generator gets, for the simulator -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_LEGALIZE_H
#define TILEWRIGHT_TEST_E2E_LEGALIZE_H

#include <string>

namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::test {

/// The .llir text `llir` after the changes that src/emit makes for the target's code generator,
/// which come after that text is printed. For targets whose changes the simulator knows: AMD's.
std::string legalize(const std::string &llir, const target::Target &target);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_LEGALIZE_H
