//===- Compile.cpp - Compiling by way of the cache ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Compile.h"

#include "Diagnostics.h"
#include "Kernel.h"
#include "runtime/cuda/CudaKernel.h"
#include "runtime/files/Files.h"
#include "tilewright/Cache.h"
#include "tune/OptionsJson.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

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
        nb::module_::import_("tilewright.kernel.compile").attr("_compiler")().attr("entry");
    entry =
        static_cast<const CompilerEntry *>(PyCapsule_GetPointer(capsule.ptr(), compilerEntryName));
    if (!entry)
      nb::raise_python_error();
  }
  return *entry;
}

/// The user's cache, by the environment of this moment; null if that turns it off, or asks as
/// Triton's programs do for everything to be compiled anew. With the GIL.
static Expected<std::shared_ptr<Cache>> cacheOfUser() {
  const char *always = std::getenv("TRITON_ALWAYS_COMPILE");
  if (always && std::string_view(always) == "1")
    return std::shared_ptr<Cache>();
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

/// `language` is py, ttir or ttgir. A program that Python has made has pieces, or no piece.
static Source sourceOf(const std::string &name, const std::string &text,
                       const std::string &language, const std::optional<Pieces> &pieces) {
  Source source{name, text, SourceLanguage::Python, pieces.has_value()};
  if (language != "py")
    source.language = language == "ttgir" ? SourceLanguage::TTGIR : SourceLanguage::TTIR;
  return source;
}

/// A report as a dictionary: "diagnostics", and without an error "document" and "page", texts.
static nb::dict report(const std::string &name, const std::string &text,
                       const std::string &language, const std::optional<Pieces> &pieces,
                       const CompileOptions &options) {
  const CompilerEntry &compiler = compilerEntry();
  DescribedCompilation described;
  {
    nb::gil_scoped_release release;
    described = compiler.report(sourceOf(name, text, language, pieces), options);
  }
  nb::list diagnostics;
  for (Diagnostic &diagnostic : described.diagnostics) {
    relocate(diagnostic, name, pieces.value_or(Pieces{}));
    diagnostics.append(python::toDict(diagnostic));
  }
  nb::dict dict;
  dict["diagnostics"] = diagnostics;
  if (!described.page.empty()) {
    dict["document"] = described.document;
    dict["page"] = described.page;
  }
  return dict;
}

static nb::dict compile(const std::string &name, const std::string &text,
                        const std::string &language, const std::optional<Pieces> &pieces,
                        const CompileOptions &options) {
  const Source source = sourceOf(name, text, language, pieces);
  Expected<std::shared_ptr<Cache>> cache = cacheOfUser();
  CompileResult result;
  if (!cache) {
    result.diagnostics.push_back(cache.error());
    return toDict(result);
  }
  {
    nb::gil_scoped_release release;
    auto anew = [&] { return compilerEntry().compile(source, options); };
    result = *cache ? (*cache)->compile(source, options, runtime::readFromDisk, anew) : anew();
  }
  for (Diagnostic &diagnostic : result.diagnostics)
    relocate(diagnostic, name, pieces.value_or(Pieces{}));
  if (result)
    for (Diagnostic &remark : result.compilation->remarks)
      relocate(remark, name, pieces.value_or(Pieces{}));
  return toDict(result);
}

/// The value that holds for an option where nothing is set, as a Python object; None where that
/// depends on the target, or is nothing.
template <typename Row> static nb::object initialOf(const Row &row) {
  using Initial = typename Row::Type::Initial;
  if constexpr (std::is_same_v<Initial, option_types::Texts::Initial>)
    return nb::list();
  else if constexpr (std::is_same_v<Initial, std::string_view>)
    return nb::str(row.initial.data(), row.initial.size());
  else if constexpr (std::is_same_v<typename Row::Type, option_types::OptionalNumber>)
    return row.initial ? nb::cast(row.initial) : nb::none();
  else
    return nb::cast(row.initial);
}

/// Makes the class Options, whose attributes are the rows of CompileOptions.def, and what says of
/// the rows which there are: option_names, call_option_names, launch_option_names, option_defaults;
/// and program_option_names, what calls take besides.
static void addOptions(nb::module_ &m) {
  nb::class_<CompileOptions> options(m, "Options", "What a source is compiled for.");
  options.def(nb::init<>());
  nb::list all, ofCalls, ofLaunches;
  nb::dict defaults;
  forEachOption([&](const auto &row) {
    using Value = std::decay_t<decltype(row.of(std::declval<CompileOptions &>()))>;
    const char *name = row.name.data();
    options.def_prop_rw(
        name, [row](const CompileOptions &self) -> Value { return row.of(self); },
        [row](CompileOptions &self, Value value) { row.of(self) = std::move(value); },
        nb::for_setter(nb::arg("value").none()));
    all.append(name);
    if (row.readers.calls)
      ofCalls.append(name);
    if (std::decay_t<decltype(row)>::isOfLaunch)
      ofLaunches.append(name);
    defaults[name] = initialOf(row);
  });
  options.def_prop_ro(
      "plan", [](const CompileOptions &self) { return tune::textOf(self); },
      "Those that a plan has, as JSON.");
  m.attr("option_names") = nb::tuple(all);
  m.attr("call_option_names") = nb::tuple(ofCalls);
  m.attr("launch_option_names") = nb::tuple(ofLaunches);
  nb::list ofPrograms;
  for (const CallOption &option : programOptions)
    ofPrograms.append(option.name);
  m.attr("program_option_names") = nb::tuple(ofPrograms);
  m.attr("foreign_parameters") = runtime::cuda::foreignParameters;
  m.attr("option_defaults") = defaults;
}

void tilewright::python::addCompile(nb::module_ &m) {
  addOptions(m);
  m.def(
      "describe_passed_over_option",
      [](const std::string &option, const std::string &value) {
        return describePassedOverOption(option, value);
      },
      "name"_a, "value"_a,
      "What to warn of for one of Triton's options that changes nothing, and its value's repr; "
      "empty where the value asks for nothing, None for other names.");
  m.def("report", &report, "name"_a, "text"_a, "language"_a, "pieces"_a.none(), "options"_a);
  m.def("compile", &compile, "name"_a, "text"_a, "language"_a, "pieces"_a.none(), "options"_a);
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
