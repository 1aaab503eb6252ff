//===- Arguments.h - What a kernel is specialized for ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Reads the arguments of a call: the bits that the launch passes, and the words of the key that
// says which specialization they are for. One word for most arguments, in this form:
//
//   bits 0-7    ArgumentKind
//   bits 8-15   the type (runtime::ElementType), of annotated numbers and of the elements of
//               pointers and descriptors
//   bits 16-23  the exponent of the power of two that divides the address or integer: 0 to 4
//   bits 24-31  dimensions, of descriptors; whether it is named, of tuples
//   bits 32-63  elements, of tuples; of descriptors bit 32: whether it pads with NaN, bit 33:
//   whether
//               its blocks have a layout
//
// A constant has a second word, its value; a descriptor has one for each size of its block, and one
// for the layout of its blocks, which is a constant; a named tuple has one for its class. The words
// of a tuple's elements follow its own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_ARGUMENTS_H
#define TILEWRIGHT_PYTHON_ARGUMENTS_H

#include "Arrays.h"
#include "Objects.h"
#include "Words.h"

#include <unordered_map>
#include <vector>

namespace tilewright::python {

enum class ArgumentKind : uint8_t {
  Pointer,
  Int32,
  Int64,
  UInt64,
  Float,
  Bool,
  /// A number of the type that the parameter is annotated with.
  Annotated,
  Descriptor,
  // Constants; the rest are passed at the launch.
  None,
  One,
  ConstantInteger,
  ConstantFloat,
  ConstantBool,
  /// Another Python object; its value is its number in Constants.
  ConstantObject,
  /// Passed element by element.
  Tuple,
};

/// A parameter of the kernel's function.
struct Parameter {
  /// Interned.
  Owned name;
  /// Null if an argument has to be given.
  Owned otherwise;
  bool isConstant = false;
  /// The type that numbers are passed as, where its annotation says it.
  std::optional<runtime::ElementType> annotated;
  bool isSpecialized = true;
  bool isAlignmentSpecialized = true;
};

/// The objects that constexpr parameters have got, numbered by what they are to the compiler: their
/// text. Texts are made once for an object that cannot change.
class Constants {
public:
  /// The object's number; -1 after an exception.
  int64_t numberOf(PyObject *object);
  PyObject *object(int64_t number) const { return objects[static_cast<size_t>(number)].get(); }
  template <typename Visit> int visit(Visit visitor) const {
    for (const auto &[object, number] : known)
      if (int result = visitor(object.get()))
        return result;
    for (const Owned &object : objects)
      if (int result = visitor(object.get()))
        return result;
    return 0;
  }
  void clear() {
    known.clear();
    objects.clear();
    numbers.clear();
  }

private:
  std::vector<std::pair<Owned, int64_t>> known;
  std::vector<Owned> objects;
  std::unordered_map<std::string, int64_t> numbers;
};

/// The arguments of one call, while they are read.
struct Call {
  Words key;
  /// The bits of each parameter of the launch.
  Words parameters;
  /// The device of the arrays; meaningful if there is one.
  int device = hostDevice;
  /// Whether element types stand for arrays, where nothing is launched.
  bool hasStandIns = false;
  /// The first array, which says the stream; borrowed.
  PyObject *array = nullptr;
  ArrayReader reader;
  Array arrayRead;
  /// The fault of an argument, to follow its name; an OverflowError or else a TypeError.
  std::string wrong;
  bool isOverflow = false;

  void overflows(const char *what) {
    wrong = what;
    isOverflow = true;
  }
};

/// Reads an argument. False after an exception, which names the parameter.
bool readArgument(PyObject *object, const Parameter &parameter, Constants &constants, Call &call);

/// An extent of a grid; negative after an exception.
int64_t readExtent(PyObject *object);

/// The type of an argument in a signature.
struct ArgumentType {
  /// A str ("*fp32:16"); None for a constant; for a tuple a tuple (class, types, values) with its
  /// class, None unless it is named, and a list of the types and of the values of its elements.
  Owned type;
  /// The constant; None for others.
  Owned value;
};

/// Takes an argument's words off a key. Null objects after an exception.
ArgumentType takeType(std::span<const uint64_t> &key, const Constants &constants);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_ARGUMENTS_H
