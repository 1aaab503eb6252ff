//===- RunnerType.cpp - The Python type of launches with fixed types ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RunnerType.h"

#include "Arguments.h"
#include "Gpu.h"
#include "LaunchHooks.h"

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <array>
#include <bit>
#include <cstddef>

using namespace tilewright;
using namespace tilewright::python;
namespace nb = nanobind;

namespace {

/// How an argument's bits are made.
enum class Passed : uint8_t { No, Float32, Float64, AsItIs };

/// What a Runner has besides its Python head.
struct Signature {
  std::vector<Passed> passed;
  std::vector<Parameter> parameters;
  Constants constants;
  /// The object that keeps the kernel, or null.
  Owned keeper;
  GpuKernel *kernel = nullptr;
};

struct Runner {
  PyObject_HEAD;
  vectorcallfunc call;
  Signature *signature;
};

} // namespace

static PyObject *runnerType;

/// What stands before the kernel's own arguments.
enum Place { Grid0, Grid1, Grid2, Stream, Function, Metadata, LaunchMetadata, Enter, Exit, First };

static bool readFloat(PyObject *object, Passed type, Call &call) {
  const double value = PyFloat_AsDouble(object);
  if (value == -1 && PyErr_Occurred())
    return false;
  call.parameters.push(type == Passed::Float64
                           ? std::bit_cast<uint64_t>(value)
                           : uint64_t(std::bit_cast<uint32_t>(static_cast<float>(value))));
  return true;
}

/// The bits of the arguments; false after an exception.
static bool readArguments(Signature &signature, PyObject *const *values, size_t count, Call &call) {
  if (count != signature.passed.size()) {
    PyErr_SetString(PyExc_TypeError, ("the kernel has " + std::to_string(signature.passed.size()) +
                                      " parameters and got " + std::to_string(count) + " arguments")
                                         .c_str());
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    switch (signature.passed[i]) {
    case Passed::No:
      break;
    case Passed::Float32:
    case Passed::Float64:
      if (!readFloat(values[i], signature.passed[i], call))
        return false;
      break;
    case Passed::AsItIs:
      if (!readArgument(values[i], signature.parameters[i], signature.constants, call))
        return false;
      break;
    }
  }
  return true;
}

static PyObject *callRunner(PyObject *self, PyObject *const *values, size_t countAndFlag,
                            PyObject *keywords) {
  Signature &signature = *reinterpret_cast<Runner *>(self)->signature;
  const auto count = static_cast<size_t>(PyVectorcall_NARGS(countAndFlag));
  if (count < First || (keywords && PyTuple_GET_SIZE(keywords))) {
    PyErr_SetString(PyExc_TypeError, "a launch has a grid of three extents, a stream, a function, "
                                     "two descriptions, two hooks and the kernel's arguments, all "
                                     "by position");
    return nullptr;
  }
  runtime::Grid grid;
  uint32_t *extents[] = {&grid.x, &grid.y, &grid.z};
  for (size_t i = 0; i < 3; ++i) {
    const int64_t extent = readExtent(values[i]);
    if (extent < 0)
      return nullptr;
    *extents[i] = static_cast<uint32_t>(extent);
  }
  const uint64_t stream = PyLong_AsUnsignedLongLong(values[Stream]);
  Call call;
  if (PyErr_Occurred() || !readArguments(signature, values + First, count - First, call))
    return nullptr;
  if (!grid.x || !grid.y || !grid.z)
    Py_RETURN_NONE;
  if (!LaunchHooks::call(values[Enter], values[LaunchMetadata]) ||
      !signature.kernel->launch(grid, call.parameters.view(), stream) ||
      !LaunchHooks::call(values[Exit], values[LaunchMetadata]))
    return nullptr;
  Py_RETURN_NONE;
}

/// Runner(kernel, parameters): `kernel` is a GpuKernel, or None where only `words` is asked for;
/// `parameters` has a pair for each of the function's parameters: its name and its type ("fp32",
/// "*fp16"), None for a constant.
static PyObject *newRunner(PyTypeObject *type, PyObject *arguments, PyObject *) {
  PyObject *kernel, *list;
  if (!PyArg_ParseTuple(arguments, "OO", &kernel, &list))
    return nullptr;
  Owned fast(PySequence_Fast(list, "the parameters are a list"));
  if (!fast)
    return nullptr;
  auto signature = std::make_unique<Signature>();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
    PyObject *name, *kind;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast.get(), i), "OO", &name, &kind))
      return nullptr;
    const std::string text = kind == Py_None ? "" : textOf(kind);
    signature->passed.push_back(text.empty()     ? Passed::No
                                : text == "fp32" ? Passed::Float32
                                : text == "fp64" ? Passed::Float64
                                                 : Passed::AsItIs);
    Parameter &parameter = signature->parameters.emplace_back();
    parameter.name = Owned::share(name);
    parameter.isSpecialized = false;
  }
  if (kernel != Py_None) {
    if (!nb::isinstance<GpuKernel>(kernel)) {
      PyErr_SetString(PyExc_TypeError, "a runner is made of a GpuKernel");
      return nullptr;
    }
    signature->kernel = nb::cast<GpuKernel *>(nb::handle(kernel));
    signature->keeper = Owned::share(kernel);
  }
  PyObject *self = type->tp_alloc(type, 0);
  if (!self)
    return nullptr;
  reinterpret_cast<Runner *>(self)->call = callRunner;
  reinterpret_cast<Runner *>(self)->signature = signature.release();
  return self;
}

static void freeRunner(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  delete reinterpret_cast<Runner *>(self)->signature;
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject *words(PyObject *self, PyObject *const *values, Py_ssize_t count) {
  Call call;
  if (!readArguments(*reinterpret_cast<Runner *>(self)->signature, values,
                     static_cast<size_t>(count), call))
    return nullptr;
  const std::span<const uint64_t> bits = call.parameters.view();
  return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(bits.data()),
                                   static_cast<Py_ssize_t>(bits.size_bytes()));
}

static PyMethodDef runnerMethods[] = {
    {"words", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(words)), METH_FASTCALL,
     "The bits that a launch with these arguments passes, eight bytes for each parameter."},
    {}};

static PyMemberDef runnerMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Runner, call), READONLY, nullptr}, {}};

static PyType_Slot runnerSlots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newRunner)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeRunner)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, runnerMembers},
    {Py_tp_methods, runnerMethods},
    {Py_tp_doc, const_cast<char *>("A kernel's code, launched whatever the arguments are.")},
    {0, nullptr}};

static PyType_Spec runnerSpec = {"tilewright._native.Runner", sizeof(Runner), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, runnerSlots};

bool tilewright::python::addRunnerType(PyObject *module) {
  runnerType = PyType_FromSpec(&runnerSpec);
  return runnerType && PyModule_AddObject(module, "Runner", runnerType) == 0;
}
