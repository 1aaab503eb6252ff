//===- SharedLibrary.h - Libraries loaded at run time ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_SHAREDLIBRARY_H
#define TILEWRIGHT_RUNTIME_SHAREDLIBRARY_H

#include <dlfcn.h>

namespace tilewright::runtime {

/// The functions of a library of C. It stays open until the process ends: a driver may run threads
/// until then.
class SharedLibrary {
public:
  explicit SharedLibrary(const char *name) : handle(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  bool isOpen() const { return handle; }

  /// Sets `function`: to null if the library has none of the name.
  template <typename Function> void find(Function *&function, const char *name) const {
    function = reinterpret_cast<Function *>(dlsym(handle, name));
  }

  /// Likewise, and notes the first that the library lacks.
  template <typename Function> void require(Function *&function, const char *name) {
    find(function, name);
    if (!function && !missing)
      missing = name;
  }

  /// Null if all are there.
  const char *getMissing() const { return missing; }

private:
  void *handle;
  const char *missing = nullptr;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_SHAREDLIBRARY_H
