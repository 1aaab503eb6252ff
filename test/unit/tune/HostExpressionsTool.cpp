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

#include "frontend/interpret/HostCode.h"

#include <iostream>

int main() {
  using namespace tilewright::frontend;
  Variables names;
  names["n"] = Value::ofInteger(1000);
  names["BLOCK"] = Value::ofInteger(128);
  for (std::string line; std::getline(std::cin, line);) {
    auto module = ParsedModule::parse("<line>", "value = (" + line + ")\n");
    if (!module) {
      std::cout << "error: " << module.error().message << '\n';
      continue;
    }
    HostCode host(**module);
    auto value = host.evaluateWith(names, *(*module)->find("value")->value);
    std::cout << (value ? value->repr() : "error: " + value.error().message) << '\n';
  }
}
