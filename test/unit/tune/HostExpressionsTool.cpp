//===- HostExpressionsTool.cpp - Evaluates expressions, a line each -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Reads expressions from the standard input, and prints each one's value as Python's repr() would,
// or "error: " and the message. The names n and BLOCK are 1000 and 128.
//
//===--------------------------------------------------------------------------===//

#include "tune/HostExpression.h"

#include <iostream>

int main() {
  using namespace tilewright::tune;
  const HostNames names = {{"n", int64_t(1000)}, {"BLOCK", int64_t(128)}};
  for (std::string line; std::getline(std::cin, line);) {
    auto value = evaluateText(line, "<line>", names);
    std::cout << (value ? value->text() : "error: " + value.error().message) << '\n';
  }
}
