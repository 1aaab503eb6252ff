//===- Modules.cpp - Builtins of Gluon: the modules that have them ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static const Builtin *findIn(llvm::ArrayRef<llvm::ArrayRef<Builtin>> families, StringRef name) {
  for (llvm::ArrayRef<Builtin> family : families)
    for (const Builtin &builtin : family)
      if (builtin.name == name)
        return &builtin;
  return nullptr;
}

/// The names of triton.language that Gluon has as they are.
static constexpr StringRef languageNames[] = {"abs",
                                              "add",
                                              "associative_scan",
                                              "assume",
                                              "atomic_add",
                                              "atomic_and",
                                              "atomic_cas",
                                              "atomic_max",
                                              "atomic_min",
                                              "atomic_or",
                                              "atomic_xchg",
                                              "atomic_xor",
                                              "broadcast",
                                              "cast",
                                              "cdiv",
                                              "ceil",
                                              "constexpr",
                                              "cos",
                                              "device_assert",
                                              "device_print",
                                              "div_rn",
                                              "erf",
                                              "exp",
                                              "exp2",
                                              "expand_dims",
                                              "fdiv",
                                              "floor",
                                              "fma",
                                              "gather",
                                              "inline_asm_elementwise",
                                              "join",
                                              "load",
                                              "log",
                                              "log2",
                                              "map_elementwise",
                                              "max",
                                              "max_constancy",
                                              "max_contiguous",
                                              "maximum",
                                              "min",
                                              "minimum",
                                              "mul",
                                              "multiple_of",
                                              "num_programs",
                                              "permute",
                                              "pointer_type",
                                              "program_id",
                                              "ravel",
                                              "reduce",
                                              "reduce_or",
                                              "reshape",
                                              "rsqrt",
                                              "sin",
                                              "split",
                                              "sqrt",
                                              "sqrt_rn",
                                              "static_assert",
                                              "static_print",
                                              "static_range",
                                              "store",
                                              "sub",
                                              "sum",
                                              "tensor",
                                              "to_tensor",
                                              "tuple",
                                              "umulhi",
                                              "where",
                                              "xor_sum",
                                              "dtype",
                                              "block_type"};

namespace {
using Families = llvm::SmallVector<llvm::ArrayRef<Builtin>, 5>;
} // namespace

/// The families of a module of Gluon, besides what it has of triton.language.
static Families familiesOf(StringRef module) {
  const llvm::ArrayRef<Builtin> barrierLayouts = gluonLayoutBuiltins().take_back();
  if (module == "language" || module == "language._core" || module == "language._standard" ||
      module == "language._layouts")
    return {gluonTensorBuiltins(), gluonMemoryBuiltins(), gluonTypeBuiltins(),
            gluonLayoutBuiltins(), gluonProductBuiltins()};
  if (module.consume_front("language.amd")) {
    if (module.empty() || module == "._layouts")
      return {gluonAmdLayoutBuiltins()};
    const StringRef processor = module.drop_front();
    if (processor == "cdna4.async_copy")
      return {gluonAmdCopyBuiltins(), gluonAsyncCopyBuiltins().take_back(2)};
    if (processor == "cdna3")
      return {gluonAmdBuiltins(processor), gluonAmdBufferBuiltins()};
    if (processor == "cdna4")
      return {gluonAmdBuiltins(processor), gluonAmdBufferBuiltins(), gluonScaledProductBuiltins()};
    return {gluonAmdBuiltins(processor)};
  }
  if (!module.consume_front("language.nvidia."))
    return {};
  auto [processor, part] = module.split('.');
  if (part == "async_copy")
    return {gluonAsyncCopyBuiltins()};
  if (part == "float2")
    return {gluonFloat2Builtins()};
  if (part == "mbarrier" && processor == "ampere")
    return {gluonAmpereBarrierBuiltins(), barrierLayouts};
  if (part == "mbarrier")
    return {gluonBarrierBuiltins(), barrierLayouts};
  if (part == "tma" && processor == "blackwell")
    return {gluonTensorCopyBuiltins(), gluonGatherCopyBuiltins()};
  if (part == "tma")
    return {gluonTensorCopyBuiltins()};
  if (!part.empty())
    return {};
  // Blackwell has the fence of Hopper, and products of its own.
  if (processor == "blackwell")
    return {gluonAmpereBuiltins(), gluonHopperBuiltins().take_front(), gluonBlackwellBuiltins()};
  if (processor == "hopper")
    return {gluonAmpereBuiltins(), gluonHopperBuiltins()};
  return {gluonAmpereBuiltins()};
}

static bool hasLanguageNames(StringRef module) {
  return module == "language" || module == "language._core" || module == "language._standard" ||
         module == "language._math";
}

const Builtin *frontend::findGluonBuiltin(StringRef module, StringRef name) {
  if (const Builtin *builtin = findIn(familiesOf(module), name))
    return builtin;
  return hasLanguageNames(module) && llvm::is_contained(languageNames, name)
             ? findLanguageBuiltin(name)
             : nullptr;
}

llvm::SmallVector<StringRef> frontend::namesOfGluonModule(StringRef module) {
  llvm::SmallVector<StringRef> names;
  if (hasLanguageNames(module))
    names.append(std::begin(languageNames), std::end(languageNames));
  for (llvm::ArrayRef<Builtin> family : familiesOf(module))
    for (const Builtin &builtin : family)
      names.push_back(builtin.name);
  return names;
}

bool frontend::isUnsupportedGluonModule(StringRef module) {
  return module.starts_with("language.amd.gfx1250");
}

const Builtin *frontend::findGluonConstant(StringRef name) {
  return findIn({gluonLayoutBuiltins(), gluonTypeBuiltins(), gluonAmdLayoutBuiltins(),
                 gluonBlackwellBuiltins()},
                name);
}

const Builtin *frontend::findMemDescMethod(StringRef name, bool isTensorMemory) {
  return findIn(isTensorMemory ? tensorMemoryMethods() : sharedMemoryMethods(), name);
}
