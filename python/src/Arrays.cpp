//===- Arrays.cpp - Arrays of other Python libraries --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Arrays.h"

#include "Gpu.h"
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
      {"float8e5", Float8E5M2},
      {"float8_e4m3fnuz", Float8E4M3FNUZ},
      {"float8e4b8", Float8E4M3FNUZ},
      {"float8_e5m2fnuz", Float8E5M2FNUZ},
      {"float8e5b16", Float8E5M2FNUZ}};
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
      {dlpack::codeFloat8E4M3FNUZ, 8, Float8E4M3FNUZ},
      {dlpack::codeFloat8E5M2FNUZ, 8, Float8E5M2FNUZ},
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
                                {"__sycl_usm_array_interface__", Protocol::SyclInterface},
                                {"__dlpack__", Protocol::Capsule}})
    if (PyObject_HasAttrString(object, name))
      return {protocol, nullptr};
  return {};
}

//===--------------------------------------------------------------------------===//
// What libraries work on
//===--------------------------------------------------------------------------===//

/// A module that the program has imported, or null; borrowed.
static PyObject *importedModule(const char *name) {
  return PyDict_GetItemString(PyImport_GetModuleDict(), name);
}

/// Whether the GPUs that a library calls CUDA's are AMD's: PyTorch by torch.version.hip, CuPy by
/// cupy.cuda.runtime.is_hip. No exception is left.
static bool isForRocm(const char *library, std::initializer_list<const char *> path) {
  Owned at = Owned::share(importedModule(library));
  for (const char *name : path)
    at = at ? findAttribute(at.get(), name) : Owned();
  PyErr_Clear();
  return at && at.get() != Py_None && at.get() != Py_False;
}
static bool torchIsForRocm() { return isForRocm("torch", {"version", "hip"}); }

/// PyTorch's stream of the moment on a device, by one of its own functions; 0, the default one,
/// without PyTorch. Nothing after an exception.
static std::optional<uint64_t> streamOfTorch(const char *getterName, int ordinal) {
  PyObject *torch = importedModule("torch");
  Owned core = torch ? findAttribute(torch, "_C") : Owned();
  Owned getter = core ? findAttribute(core.get(), getterName) : Owned();
  if (PyErr_Occurred())
    return std::nullopt;
  if (!getter)
    return 0;
  Owned value(PyObject_CallFunction(getter.get(), "i", ordinal));
  const uint64_t stream = value ? PyLong_AsUnsignedLongLong(value.get()) : 0;
  return PyErr_Occurred() ? std::nullopt : std::optional(stream);
}

/// Places an array on the device of a sycl::queue; false after an exception.
static bool placeOnQueue(uint64_t queue, Array &array) {
  const Expected<int> device = deviceOfQueue(queue);
  if (!device) {
    raiseLaunchError(device.error());
    return false;
  }
  array.device = *device;
  array.stream = queue;
  return true;
}

/// Of a tensor of PyTorch's on a GPU of Intel's: the queue on which PyTorch works there.
static bool placeOnQueueOfTorch(int ordinal, Array &array) {
  const std::optional<uint64_t> queue = streamOfTorch("_xpu_getCurrentRawStream", ordinal);
  return queue && placeOnQueue(*queue, array);
}

//===--------------------------------------------------------------------------===//
// DLPack
//===--------------------------------------------------------------------------===//

/// All but the place of a tensor of oneAPI's, which is that of a queue.
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
  case dlpack::rocmHost:
    array.device = hostDevice;
    break;
  case dlpack::cuda:
  case dlpack::cudaManaged:
    array.device = deviceNumber(GpuDriver::Cuda, tensor.device.ordinal);
    break;
  case dlpack::rocm:
    array.device = deviceNumber(GpuDriver::Hip, tensor.device.ordinal);
    break;
  case dlpack::oneApi:
    break;
  case dlpack::openCl:
    wrong = "is a buffer of OpenCL's, which has no address; pass unified shared memory";
    return false;
  default:
    wrong = "is on a device (number " + std::to_string(tensor.device.type) +
            " of DLPack) that kernels are not launched on; move it to the CPU, or to a GPU by "
            "CUDA, ROCm or oneAPI";
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

/// Takes the exception off and gives the first line of its text: PyTorch's goes on with a trace.
static std::string takeMessage() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Owned owned[] = {Owned(type), Owned(value), Owned(trace)};
  const std::string text = value ? textOf(value) : std::string("its owner says no more");
  return text.substr(0, text.find('\n'));
}

static bool readExchange(PyObject *object, const dlpack::ExchangeApi &api, Array &array,
                         std::string &wrong) {
  dlpack::Tensor tensor;
  if (api.tensorFromObject(object, &tensor) != 0) {
    wrong = "cannot be read: " + takeMessage();
    return false;
  }
  if (!takeTensor(tensor, array, wrong))
    return false;
  if (tensor.device.type != dlpack::oneApi) [[likely]]
    return true;
  void *queue = nullptr;
  if (api.currentWorkStream(dlpack::oneApi, tensor.device.ordinal, &queue) != 0)
    return false;
  return queue ? placeOnQueue(reinterpret_cast<uint64_t>(queue), array)
               : placeOnQueueOfTorch(tensor.device.ordinal, array);
}

static bool readCapsule(PyObject *object, Array &array, std::string &wrong) {
  Owned device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  int type = 0, ordinal = 0;
  if (!device || !PyArg_ParseTuple(device.get(), "ii", &type, &ordinal))
    return false;
  if (type == dlpack::oneApi) {
    wrong = "is on a oneAPI device, and does not say on which queue; pass a tensor of PyTorch's or "
            "an array of dpctl's or dpnp's";
    return false;
  }
  const bool isGpu = type == dlpack::cuda || type == dlpack::cudaManaged || type == dlpack::rocm;
  // The owner orders its work before that of the default stream, which the launch is then on. The
  // array API's numbers of it are 1 for CUDA and 0 for ROCm.
  const int defaultStream = type == dlpack::rocm ? 0 : 1;
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

//===--------------------------------------------------------------------------===//
// Array interfaces
//===--------------------------------------------------------------------------===//

/// `__array_interface__`, or one of those for GPUs that have the same entries.
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
  int ordinal = 0;
  if (Owned device = findAttribute(object, "device")) {
    Owned id = findAttribute(device.get(), "id");
    if (id && PyLong_Check(id.get()))
      ordinal = static_cast<int>(PyLong_AsLong(id.get()));
  }
  PyErr_Clear();
  const bool isRocm = isForRocm("cupy", {"cuda", "runtime", "is_hip"});
  array.device = deviceNumber(isRocm ? GpuDriver::Hip : GpuDriver::Cuda, ordinal);
  // 1 and 2 are names of streams to the interface as they are to the driver.
  PyObject *stream = PyDict_GetItemString(interface.get(), "stream");
  array.stream = stream && PyLong_Check(stream) ? PyLong_AsUnsignedLongLong(stream) : 0;
  return !PyErr_Occurred();
}

/// An array of unified shared memory, which says its queue (dpctl's "USM array interface").
static bool readSycl(PyObject *object, Array &array, std::string &wrong) {
  Owned interface(PyObject_GetAttrString(object, "__sycl_usm_array_interface__"));
  if (!interface || !readInterface(object, interface.get(), array, wrong))
    return false;
  // In elements.
  if (PyObject *offset = PyDict_GetItemString(interface.get(), "offset")) {
    const long long elements = PyLong_AsLongLong(offset);
    if (elements == -1 && PyErr_Occurred())
      return false;
    array.address += static_cast<uint64_t>(elements) * runtime::sizeOf(array.type);
  }
  PyObject *owner = PyDict_GetItemString(interface.get(), "syclobj");
  Owned method = owner ? findAttribute(owner, "addressof_ref") : Owned();
  if (PyErr_Occurred())
    return false;
  // A context has such a function too, and is no queue.
  if (!method || !PyObject_HasAttrString(owner, "sycl_context")) {
    wrong = "has unified shared memory without a queue; make it with a SyclQueue";
    return false;
  }
  Owned address(PyObject_CallNoArgs(method.get()));
  const uint64_t queue = address ? PyLong_AsUnsignedLongLong(address.get()) : 0;
  return !PyErr_Occurred() && placeOnQueue(queue, array);
}

//===--------------------------------------------------------------------------===//
// Tensors by their methods
//===--------------------------------------------------------------------------===//

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
  const std::string_view kind = std::string_view(name).substr(0, name.find(':'));
  if (kind != "cuda" && kind != "xpu") {
    wrong = "is on the device '" + name + "'; move it to the CPU or to a GPU (cuda, xpu)";
    return false;
  }
  const int ordinal = kind == name ? 0 : std::stoi(name.substr(kind.size() + 1));
  if (kind == "xpu") {
    if (!placeOnQueueOfTorch(ordinal, array))
      return false;
  } else {
    array.device = deviceNumber(torchIsForRocm() ? GpuDriver::Hip : GpuDriver::Cuda, ordinal);
  }
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
  case Protocol::SyclInterface:
    return readSycl(object, array, wrong);
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
  if (array.stream)
    return true;
  const int ordinal = ordinalOf(array.device);
  if (reader.protocol == Protocol::Exchange) {
    const bool isCuda = driverOf(array.device) == GpuDriver::Cuda;
    void *current = nullptr;
    if (reader.api->currentWorkStream(isCuda ? dlpack::cuda : dlpack::rocm, ordinal, &current) != 0)
      return false;
    stream = reinterpret_cast<uint64_t>(current);
    // Where PyTorch's function knows streams of CUDA alone.
    if (isCuda || current)
      return true;
  }
  if (reader.protocol == Protocol::Exchange || reader.protocol == Protocol::Tensor) {
    const std::optional<uint64_t> found = streamOfTorch("_cuda_getCurrentRawStream", ordinal);
    stream = found.value_or(0);
    return found.has_value();
  }
  return true;
}
