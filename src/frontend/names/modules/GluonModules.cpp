//===- GluonModules.cpp - Names of the modules of Gluon -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"
#include "frontend/names/Resolver.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// A module that is known by its path below triton.experimental.gluon, and those that it has.
namespace {
struct GluonModule {
  StringRef path;
  /// The modules in it, separated by spaces.
  StringRef inner;
};
} // namespace

static constexpr GluonModule modules[] = {
    {"", "language nvidia amd"},
    {"nvidia", "hopper blackwell"},
    {"nvidia.hopper", ""},
    {"nvidia.blackwell", ""},
    {"amd", "gfx1250"},
    {"amd.gfx1250", ""},
    {"language", "nvidia amd extra _core _layouts _standard _math"},
    {"language._core", ""},
    {"language._layouts", ""},
    {"language._standard", ""},
    {"language._math", ""},
    {"language.extra", ""},
    {"language.nvidia", "ampere hopper blackwell"},
    {"language.nvidia.ampere", "async_copy mbarrier"},
    {"language.nvidia.ampere.async_copy", ""},
    {"language.nvidia.ampere.mbarrier", ""},
    {"language.nvidia.hopper", "async_copy mbarrier tma"},
    {"language.nvidia.hopper.async_copy", ""},
    {"language.nvidia.hopper.mbarrier", ""},
    {"language.nvidia.hopper.tma", ""},
    {"language.nvidia.blackwell", "async_copy mbarrier tma float2"},
    {"language.nvidia.blackwell.async_copy", ""},
    {"language.nvidia.blackwell.mbarrier", ""},
    {"language.nvidia.blackwell.tma", ""},
    {"language.nvidia.blackwell.float2", ""},
    {"language.amd", "cdna3 cdna4 rdna3 rdna4 gfx1250 _layouts"},
    {"language.amd._layouts", ""},
    {"language.amd.cdna3", ""},
    {"language.amd.cdna4", "async_copy"},
    {"language.amd.cdna4.async_copy", ""},
    {"language.amd.rdna3", ""},
    {"language.amd.rdna4", ""},
    {"language.amd.gfx1250", "async_copy mbarrier tdm"},
    {"language.amd.gfx1250.async_copy", ""},
    {"language.amd.gfx1250.mbarrier", ""},
    {"language.amd.gfx1250.tdm", ""},
};

static constexpr llvm::StringLiteral gluonName = "triton.experimental.gluon";

/// The path below triton.experimental.gluon; nothing for other modules.
static std::optional<StringRef> gluonPath(StringRef module) {
  if (!module.consume_front(gluonName))
    return std::nullopt;
  if (module.empty())
    return StringRef();
  return module.consume_front(".") ? std::optional(module) : std::nullopt;
}

static const GluonModule *findModule(StringRef path) {
  const auto *found =
      llvm::find_if(modules, [&](const GluonModule &one) { return one.path == path; });
  return found == std::end(modules) ? nullptr : found;
}

bool frontend::isGluonModule(StringRef module) {
  std::optional<StringRef> path = gluonPath(module);
  return path && findModule(*path);
}

/// Types and classes that stand in annotations and in isinstance.
static bool isClassName(StringRef name) {
  return llvm::is_contained({"shared_memory_descriptor", "tensor_memory_descriptor", "base_value",
                             "base_type", "tuple_type", "tensor_descriptor", "void",
                             "tensor_descriptor_type", "warpgroup_mma_accumulator",
                             "warpgroup_mma_accumulator_type", "tensor_memory_descriptor_type"},
                            name);
}

std::optional<Value> KnownModules::gluonAttribute(StringRef module, StringRef name) {
  if (module == "triton.experimental" && name == "gluon")
    return Value::ofModule(now.keep(gluonName));
  const std::optional<StringRef> path = gluonPath(module);
  const GluonModule *found = path ? findModule(*path) : nullptr;
  if (!found)
    return std::nullopt;
  llvm::SmallVector<StringRef> inner;
  found->inner.split(inner, ' ', -1, /*KeepEmpty=*/false);
  if (llvm::is_contained(inner, name))
    return Value::ofModule(now.keep(module + "." + name));
  // Names of the host: decorators, descriptors of tensors.
  if (!path->starts_with("language"))
    return Value::host(now.keep(module + "." + name));
  if (*path == "language.extra" && name == "libdevice")
    return Value::ofModule("triton.language.extra.libdevice");
  if (const Builtin *builtin = findGluonBuiltin(*path, name))
    return Value::ofBuiltin(builtin);
  if (std::optional<ScalarKind> scalar = scalarOfLanguageName(name);
      scalar && (*path == "language" || *path == "language._core"))
    return Value::ofType({*scalar, false});
  if (*path == "language.nvidia.blackwell.float2" && name == float2Class().name)
    return Value::ofTupleClass(&float2Class());
  if (isClassName(name) || (*path == "language._core" && name == "builtin"))
    return Value::host(now.keep(module + "." + name));
  llvm::SmallVector<StringRef> known = namesOfGluonModule(*path);
  known.append(inner.begin(), inner.end());
  const StringRef close = closestOf(name, known);
  if (isUnsupportedGluonModule(*path))
    return tb.fail("`" + module + "." + name + "` is not supported yet",
                   "docs/gluon.md lists what is supported");
  return tb.fail("`" + module + "` has no '" + name + "'",
                 close.empty() ? "" : "did you mean '" + close.str() + "'?");
}
