//===- CompileLibrary.cpp - The C interface of compiling ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "capi/Guard.h"
#include "support/OptionNames.h"
#include "tilewright-c/compile.h"
#include "tilewright/Cache.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::capi;

struct TilewrightCompiler {
  Compiler compiler;
};

namespace {
/// A diagnostic with the texts that C gets of it.
struct Shown {
  explicit Shown(const Diagnostic &original)
      : diagnostic(withOptionNames(original)), rendered(render(diagnostic)),
        notes(diagnostic.notes.begin(), diagnostic.notes.end()) {}

  Diagnostic diagnostic;
  std::string rendered;
  std::vector<Shown> notes;

  TilewrightDiagnostic toC() const {
    const SourceRange &where = diagnostic.where;
    return {static_cast<TilewrightSeverity>(diagnostic.severity),
            where.file.c_str(),
            where.line,
            where.column,
            where.length,
            diagnostic.message.c_str(),
            diagnostic.remedy.c_str(),
            diagnostic.sourceLine.c_str(),
            rendered.c_str(),
            static_cast<int>(notes.size()),
            this};
  }
};
static_assert(int(Severity::Error) == TILEWRIGHT_ERROR &&
              int(Severity::Warning) == TILEWRIGHT_WARNING &&
              int(Severity::Note) == TILEWRIGHT_NOTE && int(Severity::Remark) == TILEWRIGHT_REMARK);
} // namespace

struct TilewrightCompilation {
  explicit TilewrightCompilation(CompileResult made) : result(std::move(made)) {
    diagnostics.reserve(result.diagnostics.size());
    for (const Diagnostic &diagnostic : result.diagnostics)
      diagnostics.emplace_back(diagnostic);
    if (!result)
      return;
    for (const Diagnostic &remark : result.compilation->remarks)
      remarks.emplace_back(remark);
    description = toJson(result.compilation->kernel.metadata);
    codeSuffix = nativeCodeSuffix(result.compilation->kernel.metadata.target);
  }

  CompileResult result;
  std::vector<Shown> diagnostics, remarks;
  /// Empty after errors.
  std::string description, codeSuffix;

  /// Null if there is none.
  const std::string *find(TilewrightOutput output) const;
};

const std::string *TilewrightCompilation::find(TilewrightOutput output) const {
  if (!result)
    return nullptr;
  const Compilation &compilation = *result.compilation;
  auto unlessEmpty = [](const std::string &text) { return text.empty() ? nullptr : &text; };
  switch (output) {
  case TILEWRIGHT_CODE:
    return unlessEmpty(compilation.kernel.nativeCode);
  case TILEWRIGHT_DESCRIPTION:
    return &description;
  case TILEWRIGHT_LLIR:
    return unlessEmpty(compilation.kernel.llir);
  case TILEWRIGHT_TTIR_TEXT:
    return unlessEmpty(compilation.ttir);
  case TILEWRIGHT_TTGIR_TEXT:
    return unlessEmpty(compilation.ttgir);
  case TILEWRIGHT_ASSEMBLY:
    return unlessEmpty(compilation.assembly);
  case TILEWRIGHT_NAME:
    return &compilation.kernel.metadata.name;
  case TILEWRIGHT_CODE_SUFFIX:
    return &codeSuffix;
  }
  return nullptr;
}

static Expected<Source> readSource(const TilewrightSource &source) {
  static_assert(int(SourceLanguage::Python) == TILEWRIGHT_PYTHON &&
                int(SourceLanguage::TTIR) == TILEWRIGHT_TTIR &&
                int(SourceLanguage::TTGIR) == TILEWRIGHT_TTGIR);
  if (source.language < TILEWRIGHT_PYTHON || source.language > TILEWRIGHT_TTGIR)
    return makeError("there is no source language " + std::to_string(source.language),
                     "it is TILEWRIGHT_PYTHON, _TTIR or _TTGIR");
  return Source{textOf(source.name), std::string(source.text, source.text_bytes),
                static_cast<SourceLanguage>(source.language)};
}

//===----------------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------------===//

/// The options' size in the header's first version.
static constexpr size_t minOptionsBytes =
    offsetof(TilewrightCompileOptions, dump_passes_directory) + sizeof(const char *);

namespace {
/// The members that types of options have in C.
namespace in_c {
using Text = const char *;
using OptionalText = const char *;
using Number = int;
using OptionalNumber = int;
using Switch = int;
struct Texts {
  const char *const *texts;
  size_t count;
};
} // namespace in_c

/// The value in C of an option that is not given: the initial one of a number, else zero.
template <typename Type, typename InC> constexpr InC initialInC(typename Type::Initial initial) {
  if constexpr (std::is_same_v<Type, option_types::Number>)
    return initial;
  else
    return {};
}

/// The struct of options as the table has it, which the header writes out.
struct TableOptions {
  size_t struct_bytes = sizeof(TilewrightCompileOptions);
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  in_c::Type name = initialInC<option_types::Type, in_c::Type>(OptionDefaults::member);
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help) int name = -1;
#include "tilewright/CompileOptions.def"
};
} // namespace

static_assert(sizeof(TableOptions) == sizeof(TilewrightCompileOptions));
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  static_assert(offsetof(TableOptions, name) == offsetof(TilewrightCompileOptions, name));
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help)                            \
  static_assert(offsetof(TableOptions, name) == offsetof(TilewrightCompileOptions, name));
#include "tilewright/CompileOptions.def"

// A null text is empty, or not set; an optional number that is 0 is not set.
static void readMember(const char *given, std::string &value) { value = textOf(given); }
static void readMember(const char *given, std::optional<std::string> &value) {
  if (given)
    value = given;
}
static void readMember(int given, int &value) { value = given; }
static void readMember(int given, bool &value) { value = given; }
static void readMember(int given, std::optional<int> &value) {
  if (given)
    value = given;
}
static void readMember(const in_c::Texts &given, std::vector<std::string> &value) {
  value.assign(given.texts, given.texts + given.count);
}

static Expected<CompileOptions> readOptions(const TilewrightCompileOptions &passed) {
  // A program of an older header has fewer members.
  TableOptions given;
  if (passed.struct_bytes >= minOptionsBytes && passed.struct_bytes <= sizeof given)
    std::memcpy(&given, &passed, passed.struct_bytes);
  else
    return makeError("the options have " + std::to_string(passed.struct_bytes) +
                         " bytes, which no options of this library have",
                     "set them by tilewright_init_options, and compile with the library's header");
  CompileOptions options;
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  readMember(given.name, options.member);
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help)                            \
  if (given.name >= 0)                                                                             \
    options.launch.member = given.name;
#include "tilewright/CompileOptions.def"
  return options;
}

//===----------------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------------===//

int tilewright_create_compiler(TilewrightCacheUse cache, TilewrightCompiler **compiler) {
  *compiler = nullptr;
  return guard([&]() -> Expected<void> {
    std::shared_ptr<Cache> kept;
    if (cache == TILEWRIGHT_USER_CACHE) {
      Expected<std::shared_ptr<Cache>> opened = Cache::openForUser();
      if (!opened)
        return opened.error();
      kept = *opened;
    }
    *compiler = new TilewrightCompiler{Compiler(std::move(kept))};
    return {};
  });
}

void tilewright_destroy_compiler(TilewrightCompiler *compiler) { delete compiler; }

void tilewright_init_options_of_size(TilewrightCompileOptions *options, size_t struct_bytes) {
  // A program of a newer header has members of which this library knows nothing.
  std::memset(options, 0, struct_bytes);
  const TableOptions initial;
  std::memcpy(options, &initial, std::min(struct_bytes, sizeof initial));
  options->struct_bytes = struct_bytes;
}

int tilewright_compile(TilewrightCompiler *compiler, const TilewrightSource *source,
                       const TilewrightCompileOptions *options,
                       TilewrightCompilation **compilation) {
  *compilation = nullptr;
  return guard([&]() -> Expected<void> {
    Expected<CompileOptions> read = readOptions(*options);
    if (!read)
      return read.error();
    Expected<Source> text = readSource(*source);
    CompileResult result;
    if (text)
      result = compiler->compiler.compile(*text, *read);
    else
      result.diagnostics.push_back(text.error());
    *compilation = new TilewrightCompilation(std::move(result));
    const std::vector<Diagnostic> &diagnostics = (*compilation)->result.diagnostics;
    if ((*compilation)->result)
      return {};
    return *std::find_if(diagnostics.begin(), diagnostics.end(),
                         [](const Diagnostic &each) { return each.severity == Severity::Error; });
  });
}

void tilewright_destroy_compilation(TilewrightCompilation *compilation) { delete compilation; }

/// Item `index` of a list, as `toC` makes it; an error if there is none.
template <typename Item, typename Made, typename ToC>
static int get(const std::vector<Item> &list, int index, const char *what, Made *made, ToC toC) {
  return guard([&]() -> Expected<void> {
    if (index < 0 || static_cast<size_t>(index) >= list.size())
      return makeError("there is no " + std::string(what) + " " + std::to_string(index) + ": " +
                       std::to_string(list.size()) + " in all, counted from 0");
    *made = toC(list[static_cast<size_t>(index)]);
    return {};
  });
}

int tilewright_get_diagnostic_count(const TilewrightCompilation *compilation) {
  return static_cast<int>(compilation->diagnostics.size());
}

int tilewright_get_diagnostic(const TilewrightCompilation *compilation, int index,
                              TilewrightDiagnostic *diagnostic) {
  return get(compilation->diagnostics, index, "diagnostic", diagnostic,
             [](const Shown &shown) { return shown.toC(); });
}

int tilewright_get_remark_count(const TilewrightCompilation *compilation) {
  return static_cast<int>(compilation->remarks.size());
}

int tilewright_get_remark(const TilewrightCompilation *compilation, int index,
                          TilewrightDiagnostic *remark) {
  return get(compilation->remarks, index, "remark", remark,
             [](const Shown &shown) { return shown.toC(); });
}

int tilewright_get_note(const TilewrightDiagnostic *diagnostic, int index,
                        TilewrightDiagnostic *note) {
  return get(static_cast<const Shown *>(diagnostic->internal)->notes, index, "note", note,
             [](const Shown &shown) { return shown.toC(); });
}

const char *tilewright_get_output(const TilewrightCompilation *compilation, TilewrightOutput output,
                                  size_t *bytes) {
  const std::string *text = compilation->find(output);
  if (bytes)
    *bytes = text ? text->size() : 0;
  return text ? text->c_str() : nullptr;
}

int tilewright_is_cached(const TilewrightCompilation *compilation) {
  return compilation->result.isCached;
}

/// Those of a compilation that went through.
static const std::vector<InputFile> &inputsOf(const TilewrightCompilation *compilation) {
  static const std::vector<InputFile> none;
  return compilation->result ? compilation->result.compilation->inputs : none;
}

int tilewright_get_input_count(const TilewrightCompilation *compilation) {
  return static_cast<int>(inputsOf(compilation).size());
}

int tilewright_get_input(const TilewrightCompilation *compilation, int index,
                         TilewrightInput *input) {
  return get(inputsOf(compilation), index, "input", input, [](const InputFile &file) {
    return TilewrightInput{file.path.c_str(), file.sha256 ? file.sha256->c_str() : nullptr};
  });
}
