//===- Arguments.cpp - What a kernel is specialized for -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Arguments.h"

#include "tilewright/HostArray.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

using namespace tilewright;
using namespace tilewright::python;
using runtime::ElementType;

//===--------------------------------------------------------------------------===//
// Kinds of values by their Python types
//===--------------------------------------------------------------------------===//

namespace {

enum class ValueKind : uint8_t {
  Integer,
  Float,
  Bool,
  Array,
  Wrapped,
  Descriptor,
  DType,
  Function,
  Tuple,
  Other
};

struct TypeEntry {
  /// Kept, so that no other type gets its address.
  Owned type;
  ValueKind kind = ValueKind::Other;
  ArrayReader reader;
};

} // namespace

static bool isSubclass(PyTypeObject *type, PyTypeObject *of) { return PyType_IsSubtype(type, of); }

static bool has(PyTypeObject *type, const char *attribute) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject *>(type), attribute);
}

static ValueKind kindOf(PyTypeObject *type, const ArrayReader &reader) {
  if (isSubclass(type, &PyLong_Type))
    return ValueKind::Integer;
  if (isSubclass(type, &PyFloat_Type))
    return ValueKind::Float;
  if (reader.protocol != Protocol::None)
    return ValueKind::Array;
  const std::string_view name = type->tp_name;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (last == "constexpr")
    return ValueKind::Wrapped;
  if (last == "dtype")
    return ValueKind::DType;
  if (last == "JITFunction" || last == "GluonJITFunction" || last == "ConstexprFunction")
    return ValueKind::Function;
  if (isSubclass(type, &PyTuple_Type))
    return ValueKind::Tuple;
  if (has(type, "block_shape") || last == "TensorDescriptor")
    return ValueKind::Descriptor;
  // NumPy's scalars, and whatever else is a number by the protocols of numbers.
  if (last == "bool_" || name == "numpy.bool")
    return ValueKind::Bool;
  if (type->tp_as_number && type->tp_as_number->nb_index)
    return ValueKind::Integer;
  if (type->tp_as_number && type->tp_as_number->nb_float && !isSubclass(type, &PyComplex_Type))
    return ValueKind::Float;
  return ValueKind::Other;
}

/// Types do not go away while a kernel is called with their instances, and there are few.
static const TypeEntry &entryOf(PyTypeObject *type) {
  static auto &types = *new std::unordered_map<PyTypeObject *, TypeEntry>();
  static const TypeEntry *last = nullptr;
  auto *object = reinterpret_cast<PyObject *>(type);
  if (last && last->type.get() == object)
    return *last;
  auto found = types.find(type);
  if (found == types.end()) {
    TypeEntry entry{Owned::share(object), ValueKind::Other, readerOf(type)};
    entry.kind = kindOf(type, entry.reader);
    found = types.emplace(type, std::move(entry)).first;
  }
  last = &found->second;
  return found->second;
}

//===--------------------------------------------------------------------------===//
// Words of the key
//===--------------------------------------------------------------------------===//

static uint64_t wordOf(ArgumentKind kind, ElementType type = {}, int exponent = 0, size_t rank = 0,
                       size_t rest = 0) {
  return uint64_t(kind) | uint64_t(type) << 8 | uint64_t(exponent) << 16 | uint64_t(rank) << 24 |
         uint64_t(rest) << 32;
}

/// The largest of 16, 8, 4 and 2 that divides, as an exponent; 0 if none does.
static int exponentOf(uint64_t value) { return std::countr_zero(value | 16); }

int64_t Constants::numberOf(PyObject *object) {
  for (const auto &[other, number] : known)
    if (other.get() == object)
      return number;
  Owned module(PyImport_ImportModule("tilewright.program.values"));
  Owned text(module ? PyObject_CallMethod(module.get(), "constant_text", "(O)", object) : nullptr);
  if (!text)
    return -1;
  auto [entry, added] = numbers.try_emplace(textOf(text.get()), int64_t(objects.size()));
  if (added)
    objects.push_back(Owned::share(object));
  // A tuple may hold what changes, and so may an instance of a class that is not known.
  constexpr size_t most = 64;
  const bool isFixed = PyUnicode_CheckExact(object) || PyFunction_Check(object) ||
                       PyType_Check(object) || has(Py_TYPE(object), "_written");
  if (isFixed && known.size() < most)
    known.emplace_back(Owned::share(object), entry->second);
  return entry->second;
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

/// Triton calls the type of a truth value in memory i1.
static std::string nameOf(ElementType type) {
  return type == ElementType::Bool ? "i1" : std::string(runtime::nameOf(type));
}

static uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }

static bool readInteger(PyObject *object, const Parameter &parameter, Call &call) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (value == -1 && PyErr_Occurred())
    return false;
  if (parameter.isConstant) {
    if (overflow) {
      call.overflows("is an integer of more than 64 bits");
      return false;
    }
    call.key.push(wordOf(ArgumentKind::ConstantInteger));
    call.key.push(static_cast<uint64_t>(value));
    return true;
  }
  if (overflow) {
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      call.overflows("is an integer of more than 64 bits");
      return false;
    }
    call.key.push(
        wordOf(ArgumentKind::UInt64, {}, parameter.isSpecialized ? exponentOf(large) : 0));
    call.parameters.push(large);
    return true;
  }
  if (value == 1 && parameter.isSpecialized) {
    call.key.push(wordOf(ArgumentKind::One));
    return true;
  }
  const bool isShort =
      value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  const bool isAligned = parameter.isSpecialized && parameter.isAlignmentSpecialized;
  call.key.push(wordOf(isShort ? ArgumentKind::Int32 : ArgumentKind::Int64, {},
                       isAligned ? exponentOf(static_cast<uint64_t>(value)) : 0));
  call.parameters.push(static_cast<uint64_t>(value));
  return true;
}

static void readFloat(double value, const Parameter &parameter, Call &call) {
  if (parameter.isConstant) {
    call.key.push(wordOf(ArgumentKind::ConstantFloat));
    call.key.push(bitsOf(value));
    return;
  }
  call.key.push(wordOf(ArgumentKind::Float));
  call.parameters.push(std::bit_cast<uint32_t>(static_cast<float>(value)));
}

static void readBool(bool value, const Parameter &parameter, Call &call) {
  call.key.push(wordOf(parameter.isConstant ? ArgumentKind::ConstantBool : ArgumentKind::Bool));
  (parameter.isConstant ? call.key : call.parameters).push(value);
}

/// A number as the type that the parameter is annotated with; integers that it does not hold are
/// refused. As Triton does it, 1 is no constant then.
static bool readAnnotated(PyObject *object, const Parameter &parameter, Call &call) {
  const ElementType type = *parameter.annotated;
  if (runtime::isFloat(type)) {
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred())
      return false;
    runtime::HostArray element(type, {});
    element.set(0, value);
    uint64_t bits = 0;
    std::memcpy(&bits, element.bytes.data(), element.bytes.size());
    call.key.push(wordOf(ArgumentKind::Annotated, type));
    call.parameters.push(bits);
    return true;
  }
  Owned integer(PyNumber_Index(object));
  const size_t bits = type == ElementType::Bool ? 1 : 8 * runtime::sizeOf(type);
  const bool isSigned = runtime::isSignedInteger(type) && type != ElementType::Bool;
  Owned shift(PyLong_FromSize_t(isSigned ? bits - 1 : bits));
  Owned rest(integer && shift ? PyNumber_Rshift(integer.get(), shift.get()) : nullptr);
  // What is left is 0, or for negative numbers -1.
  const long sign = rest ? PyLong_AsLong(rest.get()) : 0;
  if (!integer || !rest ||
      (sign == -1 && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError)))
    return false;
  if (PyErr_Occurred() || (sign != 0 && (sign != -1 || !isSigned))) {
    PyErr_Clear();
    call.wrong = "is " + textOf(object) + ", which its annotation's type " + ::nameOf(type) +
                 " does not hold";
    return false;
  }
  const auto value = static_cast<uint64_t>(PyLong_AsUnsignedLongLongMask(integer.get()));
  const bool isAligned = parameter.isSpecialized && parameter.isAlignmentSpecialized && bits > 1;
  call.key.push(wordOf(ArgumentKind::Annotated, type, isAligned ? exponentOf(value) : 0));
  call.parameters.push(value);
  return true;
}

/// The array, which has to be on the device of the others.
static bool placeArray(PyObject *object, const ArrayReader &reader, Array &array, Call &call) {
  if (!readArray(object, reader, array, call.wrong))
    return false;
  if (!call.array) {
    call.array = object;
    call.reader = reader;
    call.arrayRead = array;
    call.device = array.device;
  } else if (array.device != call.device) {
    call.wrong = "is on " + deviceText(array.device) + ", and the arrays before it are on " +
                 deviceText(call.device) + "; move it there";
    return false;
  }
  return true;
}

static bool readPointer(PyObject *object, const ArrayReader &reader, const Parameter &parameter,
                        Call &call) {
  Array array;
  if (!placeArray(object, reader, array, call))
    return false;
  // That elements are aligned to their own size is known anyway.
  int exponent = exponentOf(array.address);
  const bool says = size_t(1) << exponent > runtime::sizeOf(array.type);
  if (!says || !parameter.isSpecialized || !parameter.isAlignmentSpecialized)
    exponent = 0;
  call.key.push(wordOf(ArgumentKind::Pointer, array.type, exponent));
  call.parameters.push(array.address);
  return true;
}

/// The integers of a sequence; nothing after an exception.
static std::optional<std::vector<int64_t>> readIntegers(PyObject *object, const char *attribute) {
  Owned list(PyObject_GetAttrString(object, attribute));
  Owned fast(list ? PySequence_Fast(list.get(), "sizes and strides are sequences") : nullptr);
  if (!fast)
    return std::nullopt;
  std::vector<int64_t> values;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
    values.push_back(PyLong_AsLongLong(PySequence_Fast_GET_ITEM(fast.get(), i)));
    if (PyErr_Occurred())
      return std::nullopt;
  }
  return values;
}

/// Bits of the rest of a descriptor's word: it pads with NaN, its blocks have a layout.
static constexpr uint64_t padsBit = 1, layoutBit = 2;

static bool readDescriptor(PyObject *object, Constants &constants, Call &call) {
  Owned base(PyObject_GetAttrString(object, "base"));
  if (!base)
    return false;
  auto shape = readIntegers(object, "shape");
  auto strides = shape ? readIntegers(object, "strides") : std::nullopt;
  auto block = strides ? readIntegers(object, "block_shape") : std::nullopt;
  if (!block)
    return false;
  Array array;
  if (!placeArray(base.get(), entryOf(Py_TYPE(base.get())).reader, array, call))
    return false;
  // The launch asks the array itself for its stream, and the descriptor keeps it.
  constexpr uint64_t rowBytes = 16;
  const size_t bytes = runtime::sizeOf(array.type);
  if (shape->size() != block->size() || strides->size() != block->size() || block->empty())
    call.wrong = "is a descriptor whose shape, strides and block_shape differ in length";
  else if (strides->back() != 1)
    call.wrong = "is a descriptor with a last stride of " + std::to_string(strides->back()) +
                 "; the elements of a row have to lie side by side";
  else if (array.address % rowBytes)
    call.wrong = "is a descriptor of an array that does not begin at a multiple of 16 bytes";
  for (size_t dim = 0; call.wrong.empty() && dim + 1 < strides->size(); ++dim)
    if (static_cast<uint64_t>((*strides)[dim]) * bytes % rowBytes)
      call.wrong = "is a descriptor whose stride in dimension " + std::to_string(dim) +
                   " is no multiple of 16 bytes; pad the rows";
  if (!call.wrong.empty())
    return false;
  Owned padding = findAttribute(object, "padding");
  if (!padding && PyErr_Occurred())
    return false;
  const bool padsWithNan = padding && textOf(padding.get()) == "nan";
  if (padsWithNan && !runtime::isFloat(array.type)) {
    call.wrong =
        "is a descriptor that pads with NaN, which " + ::nameOf(array.type) + " does not have";
    return false;
  }
  // What is stored may be copied in pieces of 16 bytes if rows end where one does.
  const bool wholeRows = static_cast<uint64_t>(shape->back()) * bytes % rowBytes == 0;
  Owned layout = findAttribute(object, "layout");
  if (!layout && PyErr_Occurred())
    return false;
  if (layout && layout.get() == Py_None)
    layout = {};
  call.key.push(wordOf(ArgumentKind::Descriptor, array.type, wholeRows ? exponentOf(rowBytes) : 0,
                       block->size(), (padsWithNan ? padsBit : 0) | (layout ? layoutBit : 0)));
  for (int64_t size : *block)
    call.key.push(static_cast<uint64_t>(size));
  if (layout) {
    const int64_t number = constants.numberOf(layout.get());
    if (number < 0)
      return false;
    call.key.push(static_cast<uint64_t>(number));
  }
  call.parameters.push(array.address);
  for (const std::vector<int64_t> *list : {&*shape, &*strides})
    for (int64_t value : *list)
      call.parameters.push(static_cast<uint64_t>(value));
  return true;
}

static bool readConstant(PyObject *object, Constants &constants, Call &call) {
  const int64_t number = constants.numberOf(object);
  call.key.push(wordOf(ArgumentKind::ConstantObject));
  call.key.push(static_cast<uint64_t>(number));
  return number >= 0;
}

/// What stands for the parameter of a value that is a constant wherever it is.
static const Parameter &constantParameter() {
  auto &parameter = *new Parameter();
  parameter.isConstant = true;
  return parameter;
}

static bool readValue(PyObject *object, const Parameter &parameter, Constants &constants,
                      Call &call);

/// An argument whose elements are arguments.
static bool readTuple(PyObject *object, const Parameter &parameter, Constants &constants,
                      Call &call) {
  constexpr Py_ssize_t most = 1024;
  const Py_ssize_t count = PyTuple_GET_SIZE(object);
  if (count > most) {
    call.wrong = "is a tuple of more than " + std::to_string(most) + " elements";
    return false;
  }
  if (Py_EnterRecursiveCall(" in a tuple of arguments"))
    return false;
  const bool isNamed = PyObject_HasAttrString(object, "_fields");
  call.key.push(wordOf(ArgumentKind::Tuple, {}, 0, isNamed, static_cast<size_t>(count)));
  const int64_t number =
      isNamed ? constants.numberOf(reinterpret_cast<PyObject *>(Py_TYPE(object))) : 0;
  if (isNamed)
    call.key.push(static_cast<uint64_t>(number));
  bool done = number >= 0;
  for (Py_ssize_t i = 0; done && i < count; ++i) {
    done = readValue(PyTuple_GET_ITEM(object, i), parameter, constants, call);
    if (!done && !PyErr_Occurred())
      call.wrong = "has the element " + std::to_string(i) + ", which " + call.wrong;
  }
  Py_LeaveRecursiveCall();
  return done;
}

static bool readValue(PyObject *object, const Parameter &parameter, Constants &constants,
                      Call &call) {
  if (parameter.annotated && entryOf(Py_TYPE(object)).kind <= ValueKind::Bool) [[unlikely]]
    return readAnnotated(object, parameter, call);
  if (PyLong_CheckExact(object))
    return readInteger(object, parameter, call);
  if (PyBool_Check(object)) {
    readBool(object == Py_True, parameter, call);
    return true;
  }
  if (PyFloat_CheckExact(object)) {
    readFloat(PyFloat_AS_DOUBLE(object), parameter, call);
    return true;
  }
  if (object == Py_None) {
    call.key.push(wordOf(ArgumentKind::None));
    return true;
  }
  const TypeEntry &entry = entryOf(Py_TYPE(object));
  switch (entry.kind) {
  case ValueKind::Array:
    if (parameter.isConstant) {
      call.wrong = "is an array, and the parameter is a tl.constexpr";
      return false;
    }
    return readPointer(object, entry.reader, parameter, call);
  case ValueKind::Integer: {
    Owned integer(PyNumber_Index(object));
    return integer && readInteger(integer.get(), parameter, call);
  }
  case ValueKind::Float: {
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred())
      return false;
    readFloat(value, parameter, call);
    return true;
  }
  case ValueKind::Bool: {
    const int value = PyObject_IsTrue(object);
    if (value >= 0)
      readBool(value, parameter, call);
    return value >= 0;
  }
  case ValueKind::Wrapped: {
    // It is a constant, whatever the parameter is declared as.
    static const Parameter &constant = constantParameter();
    Owned value(PyObject_GetAttrString(object, "value"));
    return value && readValue(value.get(), constant, constants, call);
  }
  case ValueKind::Function:
    return readConstant(object, constants, call);
  case ValueKind::Tuple:
    if (!parameter.isConstant)
      return readTuple(object, parameter, constants, call);
    break;
  case ValueKind::Descriptor:
    if (!parameter.isConstant)
      return readDescriptor(object, constants, call);
    break;
  case ValueKind::DType:
    // Stands for an array with such elements where nothing is launched.
    if (std::optional<ElementType> type = elementTypeOf(object); type && !parameter.isConstant) {
      call.hasStandIns = true;
      call.key.push(wordOf(ArgumentKind::Pointer, *type, exponentOf(0)));
      call.parameters.push(0);
      return true;
    }
    break;
  case ValueKind::Other:
    break;
  }
  if (parameter.isConstant)
    return readConstant(object, constants, call);
  call.wrong = std::string("is a ") + Py_TYPE(object)->tp_name +
               ", which no kernel takes; pass an array, a number or a tuple of them, or declare "
               "the parameter tl.constexpr";
  return false;
}

bool python::readArgument(PyObject *object, const Parameter &parameter, Constants &constants,
                          Call &call) {
  if (readValue(object, parameter, constants, call)) [[likely]]
    return true;
  if (!PyErr_Occurred())
    PyErr_SetString(call.isOverflow ? PyExc_OverflowError : PyExc_TypeError,
                    ("the argument '" + textOf(parameter.name.get()) + "' " + call.wrong).c_str());
  return false;
}

int64_t python::readExtent(PyObject *object) {
  if (!PyIndex_Check(object)) {
    PyErr_SetString(PyExc_TypeError,
                    ("the extents of a grid are integers, and not " + reprOf(object)).c_str());
    return -1;
  }
  Owned integer(PyLong_CheckExact(object) ? Owned::share(object) : Owned(PyNumber_Index(object)));
  const long long extent = integer ? PyLong_AsLongLong(integer.get()) : -1;
  if (PyErr_Occurred())
    return -1;
  if (extent >= 0 && extent <= std::numeric_limits<int32_t>::max())
    return extent;
  PyErr_SetString(
      PyExc_ValueError,
      ("a grid has extents from 0 to 2^31 - 1, and got " + std::to_string(extent)).c_str());
  return -1;
}

//===--------------------------------------------------------------------------===//
// Signatures
//===--------------------------------------------------------------------------===//

static std::string hint(int exponent) {
  return exponent ? ":" + std::to_string(1 << exponent) : std::string();
}

/// The words of a key, one after the other.
static uint64_t next(std::span<const uint64_t> &key) {
  const uint64_t word = key.front();
  key = key.subspan(1);
  return word;
}

/// The type that a word of a key stands for, with the words after it; empty for a constant.
static std::string takeText(uint64_t word, std::span<const uint64_t> &key,
                            const Constants &constants) {
  const auto type = static_cast<ElementType>(word >> 8 & 0xff);
  const int exponent = static_cast<int>(word >> 16 & 0xff);
  switch (static_cast<ArgumentKind>(word & 0xff)) {
  case ArgumentKind::Pointer:
    return "*" + ::nameOf(type) + hint(exponent);
  case ArgumentKind::Int32:
    return "i32" + hint(exponent);
  case ArgumentKind::Int64:
    return "i64" + hint(exponent);
  case ArgumentKind::UInt64:
    return "u64" + hint(exponent);
  case ArgumentKind::Float:
    return "fp32";
  case ArgumentKind::Bool:
    return "i1";
  case ArgumentKind::Annotated:
    return ::nameOf(type) + hint(exponent);
  case ArgumentKind::Descriptor: {
    std::string text = "tensordesc<" + ::nameOf(type) + "[";
    const auto rank = static_cast<size_t>(word >> 24 & 0xff);
    for (size_t dim = 0; dim < rank; ++dim)
      text += (dim ? ", " : "") + std::to_string(next(key));
    text += "]";
    if (word >> 32 & layoutBit)
      text += ", " + reprOf(constants.object(static_cast<int64_t>(next(key))));
    return text + (word >> 32 & padsBit ? ", nan>" : ">") + hint(exponent);
  }
  default:
    return {};
  }
}

/// The constant that a word of a key stands for, with the words after it.
static Owned takeConstant(uint64_t word, std::span<const uint64_t> &key,
                          const Constants &constants) {
  switch (static_cast<ArgumentKind>(word & 0xff)) {
  case ArgumentKind::One:
    return Owned(PyLong_FromLong(1));
  case ArgumentKind::ConstantInteger:
    return Owned(PyLong_FromLongLong(static_cast<int64_t>(next(key))));
  case ArgumentKind::ConstantFloat:
    return Owned(PyFloat_FromDouble(std::bit_cast<double>(next(key))));
  case ArgumentKind::ConstantBool:
    return Owned(PyBool_FromLong(static_cast<long>(next(key))));
  case ArgumentKind::ConstantObject:
    return Owned::share(constants.object(static_cast<int64_t>(next(key))));
  default:
    return Owned::share(Py_None);
  }
}

static Owned takeTuple(uint64_t word, std::span<const uint64_t> &key, const Constants &constants) {
  const bool isNamed = word >> 24 & 0xff;
  Owned tupleClass =
      Owned::share(isNamed ? constants.object(static_cast<int64_t>(next(key))) : Py_None);
  Owned types(PyList_New(0)), values(PyList_New(0));
  for (uint64_t i = 0; types && values && i < word >> 32; ++i) {
    const ArgumentType element = takeType(key, constants);
    if (!element.type || !element.value || PyList_Append(types.get(), element.type.get()) < 0 ||
        PyList_Append(values.get(), element.value.get()) < 0)
      return {};
  }
  return types && values ? Owned(PyTuple_Pack(3, tupleClass.get(), types.get(), values.get()))
                         : Owned();
}

ArgumentType python::takeType(std::span<const uint64_t> &key, const Constants &constants) {
  const uint64_t word = next(key);
  if (static_cast<ArgumentKind>(word & 0xff) == ArgumentKind::Tuple)
    return {takeTuple(word, key, constants), Owned::share(Py_None)};
  const std::string text = takeText(word, key, constants);
  if (text.empty())
    return {Owned::share(Py_None), takeConstant(word, key, constants)};
  return {Owned(PyUnicode_FromString(text.c_str())), Owned::share(Py_None)};
}
