//===- Arrays.cpp - Arrays of other Python libraries --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Arrays.h"

#include "Objects.h"

#include <unordered_map>

using namespace tilewright;
using namespace tilewright::python;
using runtime::ElementType;

//===--------------------------------------------------------------------------===//
// Element types
//===--------------------------------------------------------------------------===//

std::optional<ElementType> python::elementTypeOf(std::string_view name) {
  using enum ElementType;
  static const std::unordered_map<std::string_view, ElementType> types = {
      {"bool", Bool},
      {"int1", Bool},
      {"int8", Int8},
      {"int16", Int16},
      {"int32", Int32},
      {"int64", Int64},
      {"uint8", UInt8},
      {"uint16", UInt16},
      {"uint32", UInt32},
      {"uint64", UInt64},
      {"float16", Float16},
      {"bfloat16", BFloat16},
      {"float32", Float32},
      {"float64", Float64},
      {"float8_e4m3fn", Float8E4M3},
      {"float8e4nv", Float8E4M3},
      {"float8_e5m2", Float8E5M2},
      {"float8e5", Float8E5M2}};
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (auto found = types.find(last); found != types.end())
    return found->second;
  return runtime::elementTypeNamed(last);
}

std::optional<ElementType> python::elementTypeOf(PyObject *dtype) {
  return elementTypeOf(textOf(dtype));
}

static std::optional<ElementType> elementTypeOf(dlpack::DataType type) {
  using enum ElementType;
  struct Row {
    uint8_t code, bits;
    ElementType type;
  };
  static constexpr Row rows[] = {
      {dlpack::codeFloat, 32, Float32},
      {dlpack::codeFloat, 16, Float16},
      {dlpack::codeBfloat, 16, BFloat16},
      {dlpack::codeInt, 32, Int32},
      {dlpack::codeInt, 64, Int64},
      {dlpack::codeFloat, 64, Float64},
      {dlpack::codeInt, 8, Int8},
      {dlpack::codeInt, 16, Int16},
      {dlpack::codeUInt, 8, UInt8},
      {dlpack::codeUInt, 16, UInt16},
      {dlpack::codeUInt, 32, UInt32},
      {dlpack::codeUInt, 64, UInt64},
      {dlpack::codeBool, 8, Bool},
      {dlpack::codeFloat8E4M3, 8, Float8E4M3},
      {dlpack::codeFloat8E5M2, 8, Float8E5M2},
  };
  if (type.lanes == 1)
    for (const Row &row : rows)
      if (row.code == type.code && row.bits == type.bits)
        return row.type;
  return std::nullopt;
}

/// That of NumPy's `typestr`, "<f4".
static std::optional<ElementType> elementTypeOfInterface(std::string_view text) {
  using enum ElementType;
  static const std::unordered_map<std::string_view, ElementType> types = {
      {"b1", Bool},   {"i1", Int8},    {"i2", Int16},   {"i4", Int32},
      {"i8", Int64},  {"u1", UInt8},   {"u2", UInt16},  {"u4", UInt32},
      {"u8", UInt64}, {"f2", Float16}, {"f4", Float32}, {"f8", Float64}};
  if (text.size() != 3 || text[0] == '>')
    return std::nullopt;
  auto found = types.find(text.substr(1));
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

static bool refuseType(std::string &wrong, const std::string &type) {
  wrong = "has elements of type " + type + ", which no kernel takes";
  return false;
}

//===--------------------------------------------------------------------------===//
// Protocols
//===--------------------------------------------------------------------------===//

/// A type that an instance's class has as one of its bases.
static bool hasBase(PyTypeObject *type, std::string_view module, std::string_view name) {
  PyObject *bases = type->tp_mro;
  for (Py_ssize_t i = 0; bases && i < PyTuple_GET_SIZE(bases); ++i) {
    PyObject *base = PyTuple_GET_ITEM(bases, i);
    Owned baseName = findAttribute(base, "__name__"),
          baseModule = findAttribute(base, "__module__");
    if (baseName && baseModule && textOf(baseName.get()) == name &&
        textOf(baseModule.get()) == module)
      return true;
  }
  PyErr_Clear();
  return false;
}

static const dlpack::ExchangeApi *exchangeApiOf(PyObject *type) {
  Owned capsule = findAttribute(type, "__dlpack_c_exchange_api__");
  PyErr_Clear();
  constexpr char name[] = "dlpack_exchange_api";
  if (!capsule || !PyCapsule_IsValid(capsule.get(), name))
    return nullptr;
  auto *api = static_cast<const dlpack::ExchangeApi *>(PyCapsule_GetPointer(capsule.get(), name));
  // The layout is that of major version 1; a newer table leads to the older ones.
  while (api && api->version.major > 1)
    api = api->previous;
  return api && api->version.major == 1 && api->tensorFromObject ? api : nullptr;
}

ArrayReader python::readerOf(PyTypeObject *type) {
  auto *object = reinterpret_cast<PyObject *>(type);
  // NumPy's scalars are arrays of one element to its own interface, and numbers to kernels.
  if (hasBase(type, "numpy", "generic"))
    return {};
  if (const dlpack::ExchangeApi *api = exchangeApiOf(object))
    return {Protocol::Exchange, api};
  for (auto [name, protocol] : {std::pair{"__array_interface__", Protocol::HostInterface},
                                {"data_ptr", Protocol::Tensor},
                                {"__cuda_array_interface__", Protocol::CudaInterface},
                                {"__dlpack__", Protocol::Capsule}})
    if (PyObject_HasAttrString(object, name))
      return {protocol, nullptr};
  return {};
}

static bool takeTensor(const dlpack::Tensor &tensor, Array &array, std::string &wrong) {
  const std::optional<ElementType> type = ::elementTypeOf(tensor.type);
  if (!type)
    return refuseType(wrong, "(code " + std::to_string(tensor.type.code) + ", " +
                                 std::to_string(tensor.type.bits) + " bits) of DLPack");
  array.type = *type;
  array.address = reinterpret_cast<uint64_t>(tensor.data) + tensor.byteOffset;
  switch (tensor.device.type) {
  case dlpack::cpu:
  case dlpack::cudaHost:
    array.device = hostDevice;
    break;
  case dlpack::cuda:
  case dlpack::cudaManaged:
    array.device = tensor.device.ordinal;
    break;
  default:
    wrong = "is on a device (number " + std::to_string(tensor.device.type) +
            " of DLPack) that kernels are not launched on; move it to the CPU or to a CUDA device";
    return false;
  }
  bool isEmpty = false;
  for (int32_t dim = 0; dim < tensor.rank; ++dim)
    isEmpty |= tensor.shape[dim] == 0;
  if (!tensor.data && !isEmpty) {
    wrong = "has no memory: it has been freed, or never had any";
    return false;
  }
  return true;
}

static bool readExchange(PyObject *object, const dlpack::ExchangeApi &api, Array &array,
                         std::string &wrong) {
  dlpack::Tensor tensor;
  return api.tensorFromObject(object, &tensor) == 0 && takeTensor(tensor, array, wrong);
}

static bool readCapsule(PyObject *object, Array &array, std::string &wrong) {
  Owned device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  int type = 0, ordinal = 0;
  if (!device || !PyArg_ParseTuple(device.get(), "ii", &type, &ordinal))
    return false;
  const bool isGpu = type == dlpack::cuda || type == dlpack::cudaManaged;
  // The owner orders its work before that of the default stream, which the launch is then on.
  constexpr int defaultStream = 1;
  Owned method(PyObject_GetAttrString(object, "__dlpack__"));
  Owned none(PyTuple_New(0));
  Owned keywords(isGpu ? Py_BuildValue("{si}", "stream", defaultStream) : nullptr);
  Owned capsule(method ? PyObject_Call(method.get(), none.get(), keywords.get()) : nullptr);
  auto *managed =
      capsule
          ? static_cast<dlpack::ManagedTensor *>(PyCapsule_GetPointer(capsule.get(), "dltensor"))
          : nullptr;
  if (!managed)
    return false;
  // The capsule's own destructor gives the tensor back; the object keeps the memory.
  if (!takeTensor(managed->tensor, array, wrong))
    return false;
  if (isGpu)
    array.stream = 0;
  return true;
}

/// `__array_interface__` or `__cuda_array_interface__`.
static bool readInterface(PyObject *object, PyObject *interface, Array &array, std::string &wrong) {
  if (!PyDict_Check(interface)) {
    wrong = "has an array interface that is no dictionary";
    return false;
  }
  PyObject *type = PyDict_GetItemString(interface, "typestr");
  PyObject *data = PyDict_GetItemString(interface, "data");
  if (!type || !data || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2) {
    wrong = "has an array interface without 'typestr' or 'data'";
    return false;
  }
  std::optional<ElementType> element = elementTypeOfInterface(textOf(type));
  Owned dtype = element ? Owned() : findAttribute(object, "dtype");
  PyErr_Clear();
  // Types that NumPy itself does not have are bytes to it, and say their names otherwise.
  if (dtype && textOf(type)[0] != '>')
    element = python::elementTypeOf(dtype.get());
  if (!element)
    return refuseType(wrong, dtype ? textOf(dtype.get()) : textOf(type));
  array.type = *element;
  array.address = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(data, 0));
  return !PyErr_Occurred();
}

/// The ordinal of the device that has the address; in the driver's words where it is asked.
static bool readCuda(PyObject *object, Array &array, std::string &wrong) {
  Owned interface(PyObject_GetAttrString(object, "__cuda_array_interface__"));
  if (!interface) {
    // One that is on the CPU at the moment says so by having no such attribute.
    if (!PyErr_ExceptionMatches(PyExc_AttributeError) ||
        !PyObject_HasAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)), "__dlpack__"))
      return false;
    PyErr_Clear();
    return readCapsule(object, array, wrong);
  }
  if (!readInterface(object, interface.get(), array, wrong))
    return false;
  array.device = 0;
  if (Owned device = findAttribute(object, "device")) {
    Owned ordinal = findAttribute(device.get(), "id");
    if (ordinal && PyLong_Check(ordinal.get()))
      array.device = static_cast<int>(PyLong_AsLong(ordinal.get()));
  }
  PyErr_Clear();
  // 1 and 2 are names of streams to the interface as they are to the driver.
  PyObject *stream = PyDict_GetItemString(interface.get(), "stream");
  array.stream = stream && PyLong_Check(stream) ? PyLong_AsUnsignedLongLong(stream) : 0;
  return !PyErr_Occurred();
}

static bool readTensor(PyObject *object, Array &array, std::string &wrong) {
  Owned dtype(PyObject_GetAttrString(object, "dtype"));
  Owned address(PyObject_CallMethod(object, "data_ptr", nullptr));
  if (!dtype || !address)
    return false;
  const std::optional<ElementType> type = python::elementTypeOf(dtype.get());
  if (!type)
    return refuseType(wrong, textOf(dtype.get()));
  array.type = *type;
  array.address = PyLong_AsUnsignedLongLong(address.get());
  if (PyErr_Occurred())
    return false;
  Owned device = findAttribute(object, "device");
  if (!device)
    return !PyErr_Occurred();
  const std::string name = textOf(device.get());
  if (name == "cpu")
    return true;
  if (!name.starts_with("cuda")) {
    wrong = "is on the device '" + name + "'; move it to the CPU or to a CUDA device";
    return false;
  }
  const size_t colon = name.find(':');
  array.device = colon == std::string::npos ? 0 : std::stoi(name.substr(colon + 1));
  Owned count = findAttribute(object, "numel");
  Owned elements(count && !array.address ? PyObject_CallNoArgs(count.get()) : nullptr);
  PyErr_Clear();
  if (elements && PyLong_Check(elements.get()) && PyLong_AsLong(elements.get()) > 0) {
    wrong = "has no memory: it has been freed";
    return false;
  }
  return true;
}

bool python::readArray(PyObject *object, const ArrayReader &reader, Array &array,
                       std::string &wrong) {
  switch (reader.protocol) {
  case Protocol::Exchange:
    return readExchange(object, *reader.api, array, wrong);
  case Protocol::HostInterface: {
    Owned interface(PyObject_GetAttrString(object, "__array_interface__"));
    return interface && readInterface(object, interface.get(), array, wrong);
  }
  case Protocol::Tensor:
    return readTensor(object, array, wrong);
  case Protocol::CudaInterface:
    return readCuda(object, array, wrong);
  case Protocol::Capsule:
    return readCapsule(object, array, wrong);
  case Protocol::None:
    break;
  }
  wrong = "is no array";
  return false;
}

bool python::currentStream(const ArrayReader &reader, const Array &array, uint64_t &stream) {
  stream = array.stream.value_or(0);
  if (reader.protocol == Protocol::Exchange) {
    void *current = nullptr;
    if (reader.api->currentWorkStream(dlpack::cuda, array.device, &current) != 0)
      return false;
    stream = reinterpret_cast<uint64_t>(current);
  } else if (reader.protocol == Protocol::Tensor) {
    // Versions of PyTorch that have no table of functions. Without PyTorch it is the default one.
    PyObject *torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    Owned core = torch ? findAttribute(torch, "_C") : Owned();
    Owned getter = core ? findAttribute(core.get(), "_cuda_getCurrentRawStream") : Owned();
    if (PyErr_Occurred())
      return false;
    if (!getter)
      return true;
    Owned value(PyObject_CallFunction(getter.get(), "i", array.device));
    if (!value)
      return false;
    stream = PyLong_AsUnsignedLongLong(value.get());
  }
  return !PyErr_Occurred();
}
