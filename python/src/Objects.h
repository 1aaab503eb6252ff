//===- Objects.h - References to Python objects ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the path of a launch uses of CPython's C API. It takes the place of nanobind there, where a
// launch takes less than a microsecond.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_OBJECTS_H
#define TILEWRIGHT_PYTHON_OBJECTS_H

#include <Python.h>

#include <string>
#include <utility>

namespace tilewright::python {

/// A reference that is owned; null after an error, or where there is nothing.
class Owned {
public:
  Owned() = default;
  /// Takes a reference over.
  explicit Owned(PyObject *object) : object(object) {}
  static Owned share(PyObject *object) {
    Py_XINCREF(object);
    return Owned(object);
  }
  Owned(const Owned &other) : Owned(share(other.object)) {}
  Owned(Owned &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Owned &operator=(Owned other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Owned() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

/// The attribute; null without an exception if there is none. Other exceptions are left.
inline Owned findAttribute(PyObject *object, const char *name) {
  Owned found(PyObject_GetAttrString(object, name));
  if (!found && PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_Clear();
  return found;
}

/// The text of a str, or that of str(object); empty, without an exception, if there is none.
inline std::string textOf(PyObject *object) {
  Owned text = PyUnicode_Check(object) ? Owned::share(object) : Owned(PyObject_Str(object));
  const char *bytes = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (!bytes)
    PyErr_Clear();
  return bytes ? bytes : "";
}

/// The text of repr(object); empty, without an exception, if there is none.
inline std::string reprOf(PyObject *object) {
  Owned text(PyObject_Repr(object));
  if (text)
    return textOf(text.get());
  PyErr_Clear();
  return {};
}

/// Sets an exception of a class of tilewright.errors.
inline void raiseError(const char *className, const std::string &message) {
  Owned module(PyImport_ImportModule("tilewright.errors"));
  Owned type(module ? PyObject_GetAttrString(module.get(), className) : nullptr);
  if (type)
    PyErr_SetString(type.get(), message.c_str());
}

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_OBJECTS_H
