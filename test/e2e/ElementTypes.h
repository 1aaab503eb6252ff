//===- ElementTypes.h - Element types of the end-to-end tests -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_ELEMENTTYPES_H
#define TILEWRIGHT_TEST_E2E_ELEMENTTYPES_H

namespace tilewright::test {

/// The types of tl that there is arithmetic on: all but those of 8-bit floats.
inline constexpr const char *elementTypes[] = {"int1",     "int8",    "int16",  "int32",  "int64",
                                               "uint8",    "uint16",  "uint32", "uint64", "float16",
                                               "bfloat16", "float32", "float64"};

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_ELEMENTTYPES_H
