//===- LaunchHooks.h - Functions called around launches -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Triton's launch_enter_hook and launch_exit_hook: two Python objects of the process, each a list
// of functions that can be called itself, or one function. With the GIL.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_LAUNCHHOOKS_H
#define TILEWRIGHT_PYTHON_LAUNCHHOOKS_H

#include "Objects.h"

namespace tilewright::python {

struct LaunchHooks {
  Owned enter, exit;

  /// Whether a hook has anything to call: an empty list, None and null have nothing.
  static bool isSet(PyObject *hook) {
    return hook && hook != Py_None && !(PyList_Check(hook) && PyList_GET_SIZE(hook) == 0);
  }
  bool areSet() const { return isSet(enter.get()) || isSet(exit.get()); }

  /// Calls a hook that is set; false after an exception.
  static bool call(PyObject *hook, PyObject *metadata) {
    return !isSet(hook) || Owned(PyObject_CallOneArg(hook, metadata));
  }
};

/// Those of the process; never destroyed.
inline LaunchHooks &launchHooks() {
  static auto &hooks = *new LaunchHooks();
  return hooks;
}

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_LAUNCHHOOKS_H
