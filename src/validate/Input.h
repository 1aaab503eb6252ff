//===- Input.h - Inputs that a kernel is tried on ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An input is a grid, numbers for the scalar arguments and contents for what stands in memory.
// Sizes are chosen around the tiles of the kernel: some fill them, some leave a part of the last
// one, some are 0 or 1. Strides, known by their names, keep rows apart.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VALIDATE_INPUT_H
#define TILEWRIGHT_VALIDATE_INPUT_H

#include "ir/tt/Dialect.h"
#include "tilewright/Runtime.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <memory>

namespace tilewright::interpret {
class Codec;
} // namespace tilewright::interpret

namespace tilewright::validate {

/// The numbers in memory.
enum class Contents : uint8_t {
  /// From -4 to 4, whose sums and products are exact; integers from 0 to 7.
  Small,
  /// Normal random numbers; integers from 0 to 7.
  Random,
  /// Random numbers with NaNs, infinities, denormals and the largest ones among them; integers with
  /// the largest and smallest ones.
  Adversarial,
};

/// An argument of the kernel.
struct Parameter {
  enum class Kind : uint8_t { Pointer, Integer, Float, Descriptor };

  std::string name;
  Kind kind = Kind::Integer;
  /// That of a scalar, or of the elements in memory.
  mlir::Type type;
  /// Integers are multiples of it.
  int64_t divisibility = 1;
  /// The smallest integer that launches take: 1 for the size of a descriptor's tensor.
  int64_t least = 0;
  /// A number that the user gave, or an array: those stay as they are.
  std::optional<runtime::ArgumentValue> given;
  int64_t integer = 0;
  double number = 0;
  /// The sizes and strides of a descriptor's tensor in elements.
  std::vector<int64_t> shape, strides;

  bool isMemory() const { return kind == Kind::Pointer || kind == Kind::Descriptor; }
  bool isStride() const;
};

struct Input {
  runtime::Grid grid;
  Contents contents = Contents::Small;
  std::vector<Parameter> parameters;

  /// For people: "grid 2 x 1 x 1, n = 33, memory of small integers".
  std::string text() const;
};

/// The part of the inputs that a user fixes.
struct GivenInput {
  std::optional<runtime::Grid> grid;
  /// Values of arguments by their names, as runtime::parseArgumentValue reads them.
  std::map<std::string, std::string> arguments;
};

/// The parameters of the module's kernel, as its launch has them. Errors: a value is given to none
/// of them, or to one that does not take it.
Expected<std::vector<Parameter>> parametersOf(mlir::ModuleOp module, const GivenInput &given);

/// Inputs to try, those that are most likely to show a difference first. An input need not be one
/// that the kernel takes.
std::vector<Input> proposeInputs(mlir::ModuleOp module, std::vector<Parameter> parameters,
                                 const GivenInput &given);

/// Simpler inputs, the simplest first.
std::vector<Input> simplify(const Input &input);

/// The memory of a parameter before the launch.
class Memory {
public:
  Memory(const Input &input, size_t number);
  /// The bits of an element.
  uint64_t operator[](size_t index) const;
  /// The first `count` bytes.
  std::vector<uint8_t> bytes(size_t count) const;

private:
  const Parameter &parameter;
  Contents contents;
  uint64_t seed;
  /// Null for integers.
  std::shared_ptr<interpret::Codec> codec;
};

} // namespace tilewright::validate

#endif // TILEWRIGHT_VALIDATE_INPUT_H
