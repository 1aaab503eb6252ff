//===- Standard.cpp - Builtins: helpers of tl.standard, the target ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels name helpers of triton.language.standard now and then, mostly those that reductions
// combine elements with (Reduction.cpp), and ask triton.language.target_info for the target.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static Value isPowerOfTwo(Arguments &arguments) {
  std::optional<int64_t> number = arguments.integer(0);
  if (!number)
    return {};
  return Value::boolean(*number >= 0 && (*number & (*number - 1)) == 0);
}

/// Of a power of two.
static Value binaryLogarithm(Arguments &arguments) {
  std::optional<int64_t> number = arguments.integer(0);
  if (!number)
    return {};
  if (*number < 1)
    return arguments.fail(0, "is " + llvm::Twine(*number) + ", which has no logarithm");
  return Value::ofInteger(llvm::Log2_64(static_cast<uint64_t>(*number)));
}

/// Constants are themselves here, whether they were wrapped or not.
static Value itself(Arguments &arguments) { return arguments[0]; }

llvm::ArrayRef<Builtin> frontend::standardBuiltins() {
  static constexpr Builtin builtins[] = {
      {"_log2", "i", binaryLogarithm, ConstantOnly},
      {"_is_power_of_two", "i", isPowerOfTwo, ConstantOnly},
      {"_unwrap_if_constexpr", "o", itself},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// The target
//===--------------------------------------------------------------------------===//

/// What stands before and after the colon of the target's name.
static std::pair<StringRef, StringRef> target(const Arguments &arguments) {
  return StringRef(arguments.tb.facts.target).split(':');
}

template <char const *backend> static Value isBackend(Arguments &arguments) {
  return Value::boolean(target(arguments).first == backend);
}

template <char const *name> static Value isArchitecture(Arguments &arguments) {
  return Value::boolean(target(arguments).second == name);
}

/// major, minor: whether the target is one of CUDA's with at least this capability.
static Value hasCapability(Arguments &arguments) {
  std::optional<int64_t> major = arguments.integer(0);
  std::optional<int64_t> minor = arguments.given(1) ? arguments.integer(1) : 0;
  if (!major || !minor)
    return {};
  auto [backend, architecture] = target(arguments);
  int64_t capability;
  return Value::boolean(backend == "cuda" && !architecture.consumeInteger(10, capability) &&
                        capability >= *major * 10 + *minor);
}

llvm::ArrayRef<Builtin> frontend::targetBuiltins() {
  static constexpr char cuda[] = "cuda", hip[] = "hip", cdna3[] = "gfx942", cdna4[] = "gfx950";
  static constexpr Builtin builtins[] = {
      {"is_cuda", "", isBackend<cuda>, ConstantOnly},
      {"is_hip", "", isBackend<hip>, ConstantOnly},
      {"is_hip_cdna3", "", isArchitecture<cdna3>, ConstantOnly},
      {"is_hip_cdna4", "", isArchitecture<cdna4>, ConstantOnly},
      {"cuda_capability_geq", "major minor?", hasCapability, ConstantOnly},
  };
  return builtins;
}
