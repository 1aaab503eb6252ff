//===- Compile.cpp - Compiling by way of the cache ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Compile.h"

#include "Diagnostics.h"
#include "tilewright/Cache.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <mutex>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::python;

/// Loads the compiler. Takes the GIL.
static const CompilerEntry &compilerEntry() {
  nb::gil_scoped_acquire acquire;
  static const CompilerEntry *entry = nullptr;
  if (!entry) {
    nb::object capsule =
        nb::module_::import_("tilewright._compile").attr("_compiler")().attr("entry");
    entry =
        static_cast<const CompilerEntry *>(PyCapsule_GetPointer(capsule.ptr(), compilerEntryName));
    if (!entry)
      nb::raise_python_error();
  }
  return *entry;
}

/// The user's cache, by the environment of this moment; null if that turns it off. With the GIL.
static Expected<std::shared_ptr<Cache>> cacheOfUser() {
  std::string said;
  for (const char *name : {"TILEWRIGHT_CACHE", "TILEWRIGHT_CACHE_DIR", "TILEWRIGHT_CACHE_SIZE",
                           "TILEWRIGHT_CACHE_REDIS", "XDG_CACHE_HOME", "HOME"}) {
    const char *value = std::getenv(name);
    said += value ? std::string("=") + value + '\0' : std::string(1, '\0');
  }
  static std::string openedFor;
  static std::shared_ptr<Cache> opened;
  static bool isOpen = false;
  if (!isOpen || said != openedFor) {
    Expected<std::shared_ptr<Cache>> cache = Cache::openForUser();
    if (!cache) {
      Diagnostic error = cache.error();
      const std::string_view off = "TILEWRIGHT_CACHE=off";
      if (error.remedy.find(off) == std::string::npos)
        error.remedy += (error.remedy.empty() ? "say " : ", or say ") + std::string(off);
      return error;
    }
    opened = std::move(*cache);
    openedFor = said;
    isOpen = true;
  }
  return opened;
}

static nb::bytes toBytes(const std::string &text) { return nb::bytes(text.data(), text.size()); }

/// What a compilation gives, as a dictionary. "metadata" is missing after errors.
static nb::dict toDict(const CompileResult &result) {
  nb::dict dict;
  auto toList = [](const std::vector<Diagnostic> &diagnostics) {
    nb::list list;
    for (const Diagnostic &diagnostic : diagnostics)
      list.append(python::toDict(diagnostic));
    return list;
  };
  dict["diagnostics"] = toList(result.diagnostics);
  if (!result)
    return dict;
  const Compilation &made = *result.compilation;
  dict["remarks"] = toList(made.remarks);
  dict["metadata"] = toJson(made.kernel.metadata);
  dict["ttir"] = made.ttir;
  dict["ttgir"] = made.ttgir;
  dict["llir"] = made.kernel.llir;
  dict["code"] = toBytes(made.kernel.nativeCode);
  dict["code_suffix"] = std::string(nativeCodeSuffix(made.kernel.metadata.target));
  dict["assembly"] = made.assembly;
  dict["assembly_suffix"] = std::string(assemblySuffix(made.kernel.metadata.target));
  dict["is_cached"] = result.isCached;
  nb::dict times;
  for (const StageTime &time : made.times)
    times[time.stage.c_str()] = time.milliseconds;
  dict["times"] = times;
  return dict;
}

static nb::dict compile(const std::string &name, const std::string &text,
                        const std::string &language, const Pieces &pieces,
                        const CompileOptions &options) {
  Source source{name, text, SourceLanguage::Python};
  if (language != "py")
    source.language = language == "ttgir" ? SourceLanguage::TTGIR : SourceLanguage::TTIR;
  Expected<std::shared_ptr<Cache>> cache = cacheOfUser();
  CompileResult result;
  if (!cache) {
    result.diagnostics.push_back(cache.error());
    return toDict(result);
  }
  {
    nb::gil_scoped_release release;
    auto anew = [&] { return compilerEntry().compile(source, options); };
    result = *cache ? (*cache)->compile(source, options, /*reader=*/{}, anew) : anew();
  }
  for (Diagnostic &diagnostic : result.diagnostics)
    relocate(diagnostic, name, pieces);
  if (result)
    for (Diagnostic &remark : result.compilation->remarks)
      relocate(remark, name, pieces);
  return toDict(result);
}

/// Sets one of LaunchOptions by Triton's name; None leaves it to the compiler.
static void setLaunchOption(CompileOptions &options, const std::string &name,
                            std::optional<int> value) {
  std::optional<int> *option = options.launch.find(name);
  if (!option)
    throw nb::type_error(("there is no launch option '" + name + "'").c_str());
  *option = value;
}

void tilewright::python::addCompile(nb::module_ &m) {
  nb::class_<CompileOptions>(m, "Options", "What a source is compiled for.")
      .def(nb::init<>())
      .def_rw("kernel", &CompileOptions::kernel)
      .def_rw("signature", &CompileOptions::signature)
      .def_rw("target", &CompileOptions::target)
      .def_rw("num_warps", &CompileOptions::numWarps)
      .def_rw("threads_per_warp", &CompileOptions::threadsPerWarp)
      .def_rw("num_ctas", &CompileOptions::numCtas)
      .def_rw("num_stages", &CompileOptions::numStages)
      .def_rw("debug", &CompileOptions::debug)
      .def_rw("import_paths", &CompileOptions::importPaths)
      .def("set_launch_option", &setLaunchOption, "name"_a, "value"_a.none());
  nb::list names;
  for (const auto &[name, member] : LaunchOptions::members())
    names.append(nb::str(name.data(), name.size()));
  m.attr("launch_option_names") = nb::tuple(names);
  m.def(
      "describe_passed_over_option",
      [](const std::string &option, const std::string &value) {
        return describePassedOverOption(option, value);
      },
      "name"_a, "value"_a,
      "What to warn of for one of Triton's options that changes nothing, and its value's repr; "
      "empty where the value asks for nothing, None for other names.");
  m.def("compile", &compile, "name"_a, "text"_a, "language"_a, "pieces"_a, "options"_a);
  m.def(
      "cache_folder",
      [] {
        Expected<CacheOptions> options = CacheOptions::fromEnvironment();
        if (!options)
          throw std::runtime_error(options.error().message + "\n  " + options.error().remedy);
        return options->directory;
      },
      "The folder of the user's cache, by the environment of this moment. RuntimeError if there is "
      "none.");
  m.def("compiler_identity", &Cache::compilerIdentity,
        "What tells builds of the compiler apart: hexadecimal digits.");
}
