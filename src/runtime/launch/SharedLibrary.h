//===- SharedLibrary.h - Libraries loaded at run time ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// No driver is linked: each is opened when something first asks for it, and what it lacks is an
// error that says what to install. A driver is a struct of pointers to its functions and a table
// that says what they are called:
//
//   constexpr Symbol<Driver> table[] = {required<&Driver::init>("cuInit"),
//                                       optional<&Driver::launchKernelEx>("cuLaunchKernelEx")};
//   Expected<Driver> driver = SharedLibrary::load(names, table, remedy, start);
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_SHAREDLIBRARY_H
#define TILEWRIGHT_RUNTIME_LAUNCH_SHAREDLIBRARY_H

#include "tilewright/Expected.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>
#include <vector>

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

/// The names of a library in errors, and the files that may hold it, the first one preferred.
struct LibraryNames {
  /// The thing there is none of where no file can be opened: "CUDA driver".
  std::string what;
  /// The library that lacks a function, or does not start: "the HIP runtime".
  std::string library;
  std::vector<std::string> files;
  /// The fault of one that lacks a function.
  std::string misfit = "is too old";
};

/// A function of a library, by its name there, and its place in a struct of functions.
template <typename Functions> struct Symbol {
  const char *name;
  void (*set)(Functions &functions, void *address);
  /// Whether libraries without it will do: its place is null then.
  bool isOptional = false;
};

/// The symbol that `member`, a pointer to a function, is set to.
template <auto member> struct SymbolOf;
template <typename Functions, typename Function, Function *Functions::*member>
struct SymbolOf<member> {
  static void set(Functions &functions, void *address) {
    functions.*member = reinterpret_cast<Function *>(address);
  }
  static constexpr Symbol<Functions> required(const char *name) { return {name, set, false}; }
  static constexpr Symbol<Functions> optional(const char *name) { return {name, set, true}; }
};
template <auto member> constexpr auto required(const char *name) {
  return SymbolOf<member>::required(name);
}
template <auto member> constexpr auto optional(const char *name) {
  return SymbolOf<member>::optional(name);
}

/// A library that stays open for the rest of the process.
class SharedLibrary {
public:
  /// Opens the first of the files that can be opened, sets the functions of `table`, and calls
  /// start(functions), which gives an empty text or the reason why the library does not start.
  /// Errors, with `remedy`: no file can be opened, the library lacks a function, it does not start.
  template <typename Functions, size_t count, typename Start>
  static Expected<Functions> load(const LibraryNames &names,
                                  const Symbol<Functions> (&table)[count], const char *remedy,
                                  Start start) {
    const SharedLibrary file(names.files);
    if (!file.handle)
      return makeError("there is no " + names.what + ": cannot open " + names.files.front(),
                       remedy);
    Functions functions{};
    for (const Symbol<Functions> &symbol : table) {
      void *address = dlsym(file.handle, symbol.name);
      if (!address && !symbol.isOptional)
        return makeError(names.library + " " + names.misfit + ": it lacks " + symbol.name, remedy);
      symbol.set(functions, address);
    }
    if (const std::string reason = start(functions); !reason.empty())
      return makeError(names.library + " does not start: " + reason, remedy);
    return functions;
  }

  /// Likewise, of one that needs no start.
  template <typename Functions, size_t count>
  static Expected<Functions> load(const LibraryNames &names,
                                  const Symbol<Functions> (&table)[count], const char *remedy) {
    return load(names, table, remedy, [](const Functions &) { return std::string(); });
  }

private:
  explicit SharedLibrary(const std::vector<std::string> &files) {
    for (const std::string &file : files)
      if (!handle)
        handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  void *handle = nullptr;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_SHAREDLIBRARY_H
