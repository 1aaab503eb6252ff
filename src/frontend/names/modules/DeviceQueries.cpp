//===- DeviceQueries.cpp - What modules ask of the device ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/DeviceQueries.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static constexpr llvm::StringLiteral currentTarget =
    "triton.runtime.driver.active.get_current_target";

/// What Triton runs of NVIDIA's, which this compiler has no need of: of each, the version that
/// comes with the Triton whose language this is.
static constexpr llvm::StringLiteral ptxas = "triton.backends.nvidia.compiler.get_ptxas";

static constexpr llvm::StringLiteral deviceProperties = "torch.cuda.get_device_properties";

static constexpr llvm::StringLiteral platform = "vllm.platforms.current_platform";

/// The major and minor number of a CUDA device (90: 9.0) or of one that HIP shows as such (gfx942:
/// 9.4, gfx1201: 12.0); nothing if the target has none.
static std::optional<std::pair<unsigned, unsigned>> capabilityOf(StringRef backend,
                                                                 StringRef architecture) {
  unsigned number;
  if (backend == "cuda" && !architecture.getAsInteger(10, number))
    return std::pair(number / 10, number % 10);
  // gfx, the major number in decimal, then the minor number and the stepping, a digit each.
  if (backend != "hip" || !architecture.consume_front("gfx") || architecture.size() < 3)
    return std::nullopt;
  unsigned minor;
  if (architecture.drop_back(2).getAsInteger(10, number) ||
      architecture.substr(architecture.size() - 2, 1).getAsInteger(16, minor))
    return std::nullopt;
  return std::pair(number, minor);
}

/// What a function of vLLM's platform says; nothing if that is not known.
static std::optional<bool> askPlatform(StringRef question, StringRef backend,
                                       StringRef architecture) {
  const bool isHIP = backend == "hip", isCUDA = backend == "cuda";
  return llvm::StringSwitch<std::optional<bool>>(question)
      .Case("is_cuda", isCUDA)
      .Case("is_rocm", isHIP)
      .Case("is_cuda_alike", isCUDA || isHIP)
      .Case("is_xpu", backend == "xpu")
      .Cases({"is_cpu", "is_zen_cpu", "is_tpu", "is_out_of_tree", "is_unspecified"}, false)
      .Case("is_fp8_fnuz", isHIP && architecture.starts_with("gfx94"))
      .Default(std::nullopt);
}

/// An integer type of PyTorch's by its name; nothing if it is none.
static std::optional<unsigned> integerBits(StringRef name, bool &isSigned) {
  isSigned = !name.starts_with("u");
  return llvm::StringSwitch<std::optional<unsigned>>(name)
      .Cases({"int8", "uint8"}, 8)
      .Cases({"int16", "uint16", "short"}, 16)
      .Cases({"int32", "uint32", "int"}, 32)
      .Cases({"int64", "uint64", "long"}, 64)
      .Default(std::nullopt);
}

/// `torch.iinfo(torch.int32).max` and its like, of which `info` is the part before the dot.
static std::optional<Value> limitOf(StringRef info, StringRef name) {
  const bool isInteger = info.consume_front("torch.iinfo(");
  if (!isInteger && !info.consume_front("torch.finfo("))
    return std::nullopt;
  info.consume_back(")");
  info.consume_front("torch.");
  bool isSigned;
  if (std::optional<unsigned> bits = integerBits(info, isSigned); bits && isInteger) {
    const Integer one = 1, half = one << (*bits - 1);
    if (name == "bits")
      return Value::ofInteger(*bits);
    if (name == "max")
      return Value::ofInteger(isSigned ? half - 1 : 2 * half - 1);
    if (name == "min")
      return Value::ofInteger(isSigned ? -half : 0);
  }
  // Largest, step above 1, smallest normal number.
  struct Limits {
    double max, eps, tiny;
  };
  std::optional<Limits> limits =
      llvm::StringSwitch<std::optional<Limits>>(info)
          .Cases({"float16", "half"}, Limits{65504.0, 0x1p-10, 0x1p-14})
          .Case("bfloat16", Limits{0x1.fep127, 0x1p-7, 0x1p-126})
          .Cases({"float32", "float"}, Limits{0x1.fffffep127, 0x1p-23, 0x1p-126})
          .Cases({"float64", "double"},
                 Limits{std::numeric_limits<double>::max(), 0x1p-52, 0x1p-1022})
          .Case("float8_e4m3fn", Limits{448.0, 0x1p-3, 0x1p-6})
          .Case("float8_e4m3fnuz", Limits{240.0, 0x1p-3, 0x1p-7})
          .Case("float8_e5m2", Limits{57344.0, 0x1p-2, 0x1p-14})
          .Case("float8_e5m2fnuz", Limits{57344.0, 0x1p-2, 0x1p-15})
          .Default(std::nullopt);
  if (!limits || isInteger)
    return std::nullopt;
  std::optional<double> value = llvm::StringSwitch<std::optional<double>>(name)
                                    .Case("max", limits->max)
                                    .Case("min", -limits->max)
                                    .Case("eps", limits->eps)
                                    .Cases({"tiny", "smallest_normal"}, limits->tiny)
                                    .Default(std::nullopt);
  return value ? std::optional(Value::ofFloat(*value)) : std::nullopt;
}

bool DeviceQueries::isAbsent(StringRef object, StringRef name) const {
  return object == "torch" && !tb.facts.target.empty() &&
         llvm::StringSwitch<bool>(name)
             .Cases({"npu", "mlu", "musa", "gcu", "ptpu", "corex", "hpu", "txda"}, true)
             .Default(false);
}

Value DeviceQueries::attribute(StringRef object, StringRef name) {
  if (object.consume_front("ptxas ") && name == "version")
    return tb.makeString(object);
  auto [backend, architecture] = StringRef(tb.facts.target).split(':');
  if (object == (currentTarget + "()").str() && !backend.empty()) {
    if (name == "backend")
      return tb.makeString(backend);
    int64_t number;
    if (name == "arch")
      return architecture.getAsInteger(10, number) ? tb.makeString(architecture)
                                                   : Value::ofInteger(number);
    if (name == "warp_size")
      return Value::ofInteger(tb.facts.threadsPerWarp);
  }
  if (const auto capability = capabilityOf(backend, architecture);
      capability && object == (deviceProperties + "()").str()) {
    if (name == "major" || name == "minor")
      return Value::ofInteger(name == "major" ? capability->first : capability->second);
    if (name == "gcnArchName" && backend == "hip")
      return tb.makeString(architecture);
  }
  // A version that there is, of which only that much is known; or none.
  if (object == "torch.version" && !backend.empty() &&
      (name == "cuda" || name == "hip" || name == "xpu"))
    return name == backend ? Value::ofModule(now.keep("torch.version." + name)) : Value::none();
  // Found by asking Triton's drivers whether one of them has a device.
  if (object == "vllm.triton_utils.importing" && name == "HAS_TRITON" && !backend.empty())
    return Value::boolean(true);
  if (object == platform && !backend.empty() &&
      (name == "get_device_capability" || name == "fp8_dtype" ||
       askPlatform(name, backend, architecture)))
    return Value::host(now.keep(platform + "." + name));
  if (std::optional<Value> limit = limitOf(object, name))
    return *limit;
  bool isSigned;
  if (object == "torch" &&
      (name == "version" || name == "cuda" || name == "xpu" || name == "iinfo" || name == "finfo" ||
       integerBits(name, isSigned) || limitOf(("torch.finfo(" + name).str(), "max")))
    return Value::host(now.keep("torch." + name));
  if ((object == "torch.cuda" || object == "torch.xpu") &&
      (name == "is_available" || name == "device_count" || name == "get_device_capability" ||
       name == "get_device_properties"))
    return Value::host(now.keep(object + "." + name));
  return {};
}

Value DeviceQueries::call(StringRef callee, llvm::ArrayRef<GivenArgument> given) {
  if (callee == ptxas && given.size() == 1 && given[0].value.isIntegral())
    return Value::host(given[0].value.integer >= 100 ? "ptxas 12.9" : "ptxas 12.8");
  auto [backend, architecture] = StringRef(tb.facts.target).split(':');
  if (callee == currentTarget && given.empty())
    return Value::host(now.keep(callee + "()"));
  if ((callee == "torch.iinfo" || callee == "torch.finfo") && given.size() == 1 &&
      given[0].value.kind == ValueKind::Host)
    return Value::host(now.keep(callee + "(" + StringRef(given[0].value.text) + ")"));
  if (backend.empty())
    return {};
  // One device, which is the target.
  StringRef question = callee;
  if (question.consume_front("torch.") && given.empty()) {
    auto [kind, name] = question.split('.');
    const bool isThere = kind == "cuda" ? backend == "cuda" || backend == "hip" : backend == "xpu";
    if ((kind == "cuda" || kind == "xpu") && name == "is_available")
      return Value::boolean(isThere);
    if ((kind == "cuda" || kind == "xpu") && name == "device_count")
      return Value::ofInteger(isThere ? 1 : 0);
  }
  const auto capability = capabilityOf(backend, architecture);
  const bool isPlatform = callee.consume_front(platform) && callee.consume_front(".");
  if (capability && (callee == "torch.cuda.get_device_capability" ||
                     (isPlatform && callee == "get_device_capability")))
    return tb.makeTuple(
        {Value::ofInteger(capability->first), Value::ofInteger(capability->second)});
  if (capability && callee == deviceProperties)
    return Value::host(now.keep(callee + "()"));
  if (isPlatform && callee == "fp8_dtype")
    return Value::host(askPlatform("is_fp8_fnuz", backend, architecture) == true
                           ? "torch.float8_e4m3fnuz"
                           : "torch.float8_e4m3fn");
  if (std::optional<bool> answer =
          isPlatform ? askPlatform(callee, backend, architecture) : std::nullopt)
    return Value::boolean(*answer);
  return {};
}
