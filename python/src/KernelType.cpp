//===- KernelType.cpp - The Python type of jitted functions -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "KernelType.h"

#include "Kernel.h"

#include <structmember.h>

#include <cstddef>

using namespace tilewright::python;

//===--------------------------------------------------------------------------===//
// kernel[grid]
//===--------------------------------------------------------------------------===//

namespace {

struct KernelObject {
  PyObject_HEAD;
  Kernel *kernel;
};

struct Launcher {
  PyObject_HEAD;
  vectorcallfunc call;
  PyObject *kernel;
  PyObject *grid;
};

} // namespace

static PyTypeObject *launcherType;
/// The memory of the last launcher that went away: most live for one call.
static Launcher *spareLauncher;

static PyObject *callLauncher(PyObject *self, PyObject *const *values, size_t count,
                              PyObject *keywords) {
  auto *launcher = reinterpret_cast<Launcher *>(self);
  return reinterpret_cast<KernelObject *>(launcher->kernel)
      ->kernel->call(launcher->grid,
                     {values, static_cast<size_t>(PyVectorcall_NARGS(count)), keywords});
}

static PyObject *makeLauncher(PyObject *kernel, PyObject *grid) {
  Launcher *launcher = std::exchange(spareLauncher, nullptr);
  if (launcher)
    PyObject_Init(reinterpret_cast<PyObject *>(launcher), launcherType);
  else
    launcher = PyObject_New(Launcher, launcherType);
  if (!launcher)
    return nullptr;
  launcher->call = callLauncher;
  Py_INCREF(kernel);
  Py_INCREF(grid);
  launcher->kernel = kernel;
  launcher->grid = grid;
  return reinterpret_cast<PyObject *>(launcher);
}

static void freeLauncher(PyObject *self) {
  auto *launcher = reinterpret_cast<Launcher *>(self);
  Py_DECREF(launcher->kernel);
  Py_DECREF(launcher->grid);
  PyTypeObject *type = Py_TYPE(self);
  if (spareLauncher)
    PyObject_Free(self);
  else
    spareLauncher = launcher;
  Py_DECREF(type);
}

static PyMemberDef launcherMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Launcher, call), READONLY, nullptr}, {}};

static PyType_Slot launcherSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(freeLauncher)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {Py_tp_doc, const_cast<char *>("A kernel and its grid, to be called with its arguments.")},
    {0, nullptr}};

static PyType_Spec launcherSpec = {"tilewright._native.Launcher", sizeof(Launcher), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, launcherSlots};

//===--------------------------------------------------------------------------===//
// Kernel
//===--------------------------------------------------------------------------===//

static Kernel *kernelOf(PyObject *self) { return reinterpret_cast<KernelObject *>(self)->kernel; }

static PyObject *newKernel(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *self = type->tp_alloc(type, 0);
  if (self)
    reinterpret_cast<KernelObject *>(self)->kernel = new Kernel();
  return self;
}

static int traverseKernel(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  return kernelOf(self) ? kernelOf(self)->traverse(visit, arg) : 0;
}

static int clearKernel(PyObject *self) {
  kernelOf(self)->clear();
  return 0;
}

static void freeKernel(PyObject *self) {
  PyObject_GC_UnTrack(self);
  PyTypeObject *type = Py_TYPE(self);
  delete std::exchange(reinterpret_cast<KernelObject *>(self)->kernel, nullptr);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject *configure(PyObject *self, PyObject *arguments) {
  PyObject *name, *parameters, *noDefault;
  if (!PyArg_ParseTuple(arguments, "OOO", &name, &parameters, &noDefault) ||
      !kernelOf(self)->configure(self, name, parameters, noDefault))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *watch(PyObject *self, PyObject *arguments) {
  PyObject *values;
  long long program;
  if (!PyArg_ParseTuple(arguments, "OL", &values, &program) ||
      !kernelOf(self)->watch(values, program))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *forget(PyObject *self, PyObject *) {
  kernelOf(self)->forget();
  Py_RETURN_NONE;
}

static PyObject *setPreRun(PyObject *self, PyObject *function) {
  kernelOf(self)->setPreRun(function);
  Py_RETURN_NONE;
}

static PyObject *warm(PyObject *self, PyObject *const *values, Py_ssize_t count,
                      PyObject *keywords) {
  return kernelOf(self)->call(nullptr, {values, static_cast<size_t>(count), keywords});
}

static PyObject *describe(PyObject *self, PyObject *const *values, Py_ssize_t count,
                          PyObject *keywords) {
  return kernelOf(self)->describe({values, static_cast<size_t>(count), keywords});
}

/// A method that takes its arguments as a vectorcall does.
static PyCFunction asMethod(PyObject *(*function)(PyObject *, PyObject *const *, Py_ssize_t,
                                                  PyObject *)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

static PyMethodDef kernelMethods[] = {
    {"_configure", configure, METH_VARARGS, "Says the name and the parameters."},
    {"_watch", watch, METH_VARARGS, "Says the values that the source names."},
    {"_forget", forget, METH_NOARGS, "Forgets what was compiled."},
    {"_set_pre_run", setPreRun, METH_O, "Says what is called before each launch, or None."},
    {"_warm", asMethod(warm), METH_FASTCALL | METH_KEYWORDS,
     "Compiles for the arguments and launches nothing."},
    {"_describe", asMethod(describe), METH_FASTCALL | METH_KEYWORDS,
     "What a call with the arguments needs compiled."},
    {}};

static PyType_Slot kernelSlots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newKernel)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeKernel)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverseKernel)},
    {Py_tp_clear, reinterpret_cast<void *>(clearKernel)},
    {Py_mp_subscript, reinterpret_cast<void *>(makeLauncher)},
    {Py_tp_methods, kernelMethods},
    {Py_tp_doc, const_cast<char *>("The part of a jitted function that launches.")},
    {0, nullptr}};

static PyType_Spec kernelSpec = {"tilewright._native.Kernel", sizeof(KernelObject), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                 kernelSlots};

bool tilewright::python::addKernelType(PyObject *module) {
  launcherType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&launcherSpec));
  PyObject *kernelType = launcherType ? PyType_FromSpec(&kernelSpec) : nullptr;
  return kernelType && PyModule_AddObject(module, "Kernel", kernelType) == 0;
}
