//===- ProgramRunner.h - Programs of tiles, interpreted in tests -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_INTERPRET_PROGRAMRUNNER_H
#define TILEWRIGHT_TEST_UNIT_INTERPRET_PROGRAMRUNNER_H

#include "interpret/Interpreter.h"

#include "gtest/gtest.h"

#include "ir/Dialects.h"
#include "ir/tt/Dialect.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <cstring>

namespace tilewright::interpret {

/// A kernel with the memory of its pointers and the values of its numbers.
class ProgramRunner {
public:
  /// `body` is the text of a kernel: its arguments in parentheses, then its ops in braces.
  /// `aliases` stands before the module.
  explicit ProgramRunner(const std::string &body, const std::string &aliases = "") {
    mlir::DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        aliases +
            "\nmodule attributes {\"ttg.num-warps\" = 4 : i32, \"ttg.num-ctas\" = 1 : i32, "
            "\"ttg.threads-per-warp\" = 32 : i32} { tt.func public @kernel" +
            body + " }",
        &context);
    EXPECT_TRUE(module);
  }

  /// Adds a buffer for the next argument, a pointer.
  template <typename T> void add(const std::vector<T> &elements) {
    Buffer buffer;
    buffer.name = "buffer " + std::to_string(memory.buffers.size());
    buffer.elementBytes = sizeof(T);
    buffer.bytes.resize(elements.size() * sizeof(T));
    std::memcpy(buffer.bytes.data(), elements.data(), buffer.bytes.size());
    arguments.push_back(makeScalar(nextType(), memory.add(std::move(buffer))));
  }
  void addNumber(uint64_t bits) { arguments.push_back(makeScalar(nextType(), bits)); }

  Outcome run(std::array<uint32_t, 3> grid = {1, 1, 1}, Variant variant = Variant::Plain) {
    const Launch launch{grid, variant};
    return interpret::run(*module, arguments, memory, launch);
  }

  template <typename T> std::vector<T> get(size_t index) const {
    const Buffer &buffer = memory.buffers[index];
    std::vector<T> elements(buffer.bytes.size() / sizeof(T));
    std::memcpy(elements.data(), buffer.bytes.data(), buffer.bytes.size());
    return elements;
  }
  bool isUndefined(size_t index, size_t byte) const {
    return memory.buffers[index].undefined[byte] != 0;
  }

  GlobalMemory memory;

private:
  mlir::Type nextType() {
    auto kernel = *module->getOps<tt::FuncOp>().begin();
    return kernel.getArgumentTypes()[arguments.size()];
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Datum> arguments;
};

} // namespace tilewright::interpret

#endif // TILEWRIGHT_TEST_UNIT_INTERPRET_PROGRAMRUNNER_H
