//===- SharedLibrary.h - Libraries loaded at run time ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_SHAREDLIBRARY_H
#define TILEWRIGHT_RUNTIME_SHAREDLIBRARY_H

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

namespace tilewright::runtime {

/// The path of a library that the process has loaded whose file's name begins so; empty if there is
/// none. Packages of Python's bring drivers' libraries of their own, which no search by name finds,
/// and a second copy of such a library knows nothing of the first one's streams and memory.
inline std::string loadedLibrary(std::string_view name) {
  struct Search {
    std::string_view name;
    std::string path;
  } search{name, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto &search = *static_cast<Search *>(data);
        const std::string_view path = info->dlpi_name;
        if (!path.substr(path.rfind('/') + 1).starts_with(search.name))
          return 0;
        search.path = path;
        return 1;
      },
      &search);
  return search.path;
}

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
