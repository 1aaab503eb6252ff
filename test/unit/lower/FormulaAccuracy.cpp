//===- FormulaAccuracy.cpp - Measured accuracy of the formulas ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "FormulaAccuracy.h"

#include "lower/math/MathLibrary.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>

// The C library has these, but C++ does not declare them.
extern "C" __float128 erfcf128(__float128) noexcept;
extern "C" __float128 expf128(__float128) noexcept;

using namespace tilewright;
using namespace tilewright::test;

namespace {

//===--------------------------------------------------------------------------===//
// Compiling
//===--------------------------------------------------------------------------===//

/// Formulas as functions of the host.
class HostFormulas {
public:
  static HostFormulas &get() {
    static HostFormulas instance;
    return instance;
  }

  void *compile(const std::string &name, bool isDouble, unsigned operands, bool lastIsCount) {
    mlir::Builder builder(&context);
    mlir::Type type = isDouble ? mlir::Type(builder.getF64Type()) : builder.getF32Type();
    llvm::SmallVector<mlir::Type> types(operands, type);
    if (lastIsCount)
      types.back() = builder.getI32Type();
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
    auto function = lower::getFormula(*module, name, types);
    std::string symbol = function.getSymName().str();
    function.setLinkage(mlir::LLVM::Linkage::External);
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(*module, *llvmContext);
    translated->setDataLayout(jit->getDataLayout());
    auto &library = llvm::cantFail(jit->createJITDylib(symbol));
    library.addGenerator(
        llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
            jit->getDataLayout().getGlobalPrefix())));
    llvm::cantFail(jit->addIRModule(
        library, llvm::orc::ThreadSafeModule(std::move(translated), std::move(llvmContext))));
    return llvm::cantFail(jit->lookup(library, symbol)).toPtr<void *>();
  }

private:
  HostFormulas() {
    context.loadDialect<mlir::LLVM::LLVMDialect>();
    mlir::DialectRegistry registry;
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  }

  mlir::MLIRContext context;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

//===--------------------------------------------------------------------------===//
// References
//===--------------------------------------------------------------------------===//

/// Half a turn for every unit of x, |x| <= 1/4.
template <typename T> T sineOfHalfTurns(T x) {
  T r = std::remainder(x, T(2));
  if (std::fabs(r) > T(0.5))
    r = std::copysign(T(1), r) - r;
  T result = std::fabs(r) <= T(0.25)
                 ? std::sin(std::numbers::pi_v<T> * r)
                 : std::copysign(std::cos(std::numbers::pi_v<T> * (T(0.5) - std::fabs(r))), r);
  return result == 0 ? std::copysign(T(0), x) : result;
}

template <typename T> T cosineOfHalfTurns(T x) {
  T r = std::fabs(std::remainder(x, T(2)));
  T result = r <= T(0.25)   ? std::cos(std::numbers::pi_v<T> * r)
             : r <= T(0.75) ? std::sin(std::numbers::pi_v<T> * (T(0.5) - r))
                            : -std::cos(std::numbers::pi_v<T> * (T(1) - r));
  return result == 0 ? T(0) : result;
}

template <typename T> T scaledComplement(T x) {
  if (x < -120)
    return std::numeric_limits<T>::infinity();
  if (x > 60) {
    long double z = 1 / (2 * static_cast<long double>(x) * x);
    return static_cast<T>(std::numbers::inv_sqrtpi_v<long double> / x *
                          (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z)))));
  }
  if (x != x)
    return x;
  __float128 wide = x;
  return static_cast<T>(erfcf128(wide) * expf128(wide * wide));
}

template <typename T> T normalDistribution(T x) {
  // 1 / sqrt 2 in 113 bits.
  __float128 factor = static_cast<__float128>(0x1.6a09e667f3bcdp-1) - 0x1.bdd3413b26456p-55 +
                      0x1.57d3e3adec175p-109;
  return static_cast<T>(erfcf128(-factor * x) / 2);
}

template <typename T> struct References {
  std::function<T(T)> unary;
  std::function<T(T, T)> binary;
  /// The second operand is an i32.
  std::function<T(T, int32_t)> counted;
};

struct Entry {
  MeasuredFormula formula;
  References<double> ofSingle;
  References<long double> ofDouble;
};

template <typename F> Entry unary(const char *name, double single, double wide, F f) {
  return {{name, single, wide}, {f, {}, {}}, {f, {}, {}}};
}
template <typename F> Entry binary(const char *name, double single, double wide, F f) {
  return {{name, single, wide}, {{}, f, {}}, {{}, f, {}}};
}
template <typename F> Entry counted(const char *name, double single, double wide, F f) {
  return {{name, single, wide}, {{}, {}, f}, {{}, {}, f}};
}

const std::vector<Entry> &entries() {
  static const std::vector<Entry> all = {
      unary("acos", 1.5, 1.5, [](auto x) { return std::acos(x); }),
      unary("acosh", 2, 2, [](auto x) { return std::acosh(x); }),
      unary("asin", 1.5, 1.5, [](auto x) { return std::asin(x); }),
      unary("asinh", 2, 2, [](auto x) { return std::asinh(x); }),
      unary("atan", 1.5, 1.5, [](auto x) { return std::atan(x); }),
      binary("atan2", 1.75, 1.75, [](auto y, auto x) { return std::atan2(y, x); }),
      unary("atanh", 2, 2, [](auto x) { return std::atanh(x); }),
      unary("cbrt", 1, 1, [](auto x) { return std::cbrt(x); }),
      unary("cos", 1.75, 1.75, [](auto x) { return std::cos(x); }),
      unary("cosh", 1.5, 1.5, [](auto x) { return std::cosh(x); }),
      unary("cospi", 2, 2, [](auto x) { return cosineOfHalfTurns(x); }),
      unary("erf", 2, 1.5, [](auto x) { return std::erf(x); }),
      unary("erfc", 5, 4, [](auto x) { return std::erfc(x); }),
      unary("erfcx", 4, 4, [](auto x) { return scaledComplement(x); }),
      unary("exp", 1, 1, [](auto x) { return std::exp(x); }),
      unary("exp10", 1.5, 1.5, [](auto x) { return std::pow(decltype(x)(10), x); }),
      unary("exp2", 1.25, 1.25, [](auto x) { return std::exp2(x); }),
      unary("expm1", 2, 2, [](auto x) { return std::expm1(x); }),
      binary("fdim", 0.5, 0.5, [](auto x, auto y) { return std::fdim(x, y); }),
      binary("fmod", 0, 0, [](auto x, auto y) { return std::fmod(x, y); }),
      binary("hypot", 1.5, 1.5, [](auto x, auto y) { return std::hypot(x, y); }),
      counted("ldexp", 0.5, 0.5, [](auto x, int32_t n) { return std::ldexp(x, n); }),
      unary("log", 1, 1, [](auto x) { return std::log(x); }),
      unary("log10", 1.25, 1.25, [](auto x) { return std::log10(x); }),
      unary("log1p", 2, 2, [](auto x) { return std::log1p(x); }),
      unary("log2", 1.25, 1.25, [](auto x) { return std::log2(x); }),
      unary("logb", 0, 0, [](auto x) { return std::logb(x); }),
      unary("normcdf", 5, 5, [](auto x) { return normalDistribution(x); }),
      binary("pow", 1, 1, [](auto x, auto y) { return std::pow(x, y); }),
      counted("powi", 1, 1, [](auto x, int32_t n) { return std::pow(x, decltype(x)(n)); }),
      unary("rcbrt", 2, 2, [](auto x) { return 1 / std::cbrt(x); }),
      binary("remainder", 0, 0, [](auto x, auto y) { return std::remainder(x, y); }),
      binary("rhypot", 2.5, 2.5, [](auto x, auto y) { return 1 / std::hypot(x, y); }),
      unary("round", 0, 0, [](auto x) { return std::round(x); }),
      unary("rsqrt", 1.75, 1.5, [](auto x) { return 1 / std::sqrt(x); }),
      unary("sin", 1.75, 1.75, [](auto x) { return std::sin(x); }),
      unary("sinh", 2.5, 2.5, [](auto x) { return std::sinh(x); }),
      unary("sinpi", 2, 2, [](auto x) { return sineOfHalfTurns(x); }),
      unary("tan", 3.5, 3.5, [](auto x) { return std::tan(x); }),
      unary("tanh", 3, 3, [](auto x) { return std::tanh(x); }),
  };
  return all;
}

const Entry &entryOf(const std::string &name) {
  for (const Entry &entry : entries())
    if (entry.formula.name == name)
      return entry;
  std::abort();
}

//===--------------------------------------------------------------------------===//
// Comparing
//===--------------------------------------------------------------------------===//

/// The distance to the next float of T above |value|.
template <typename T, typename Wide> Wide unitInLastPlace(Wide value) {
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr int least = std::numeric_limits<T>::min_exponent - digits;
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(Wide(1), std::max(exponent - digits, least));
}

template <typename T, typename Wide> class Comparison {
public:
  Accuracy result;

  void add(T x, T y, T value, Wide correct) {
    ++result.inputs;
    T rounded = static_cast<T>(correct);
    if (value == rounded && std::signbit(value) == std::signbit(rounded)) {
      // Right where rounded; the error is still up to a half.
      if (std::isfinite(rounded))
        note(std::fabs(correct - value) / unitInLastPlace<T>(correct), x, y);
      return;
    }
    bool isLimit =
        std::isnan(rounded) || std::isinf(correct) || !std::isfinite(value) || correct == 0;
    if (isLimit) {
      bool overflowsBarely = std::isinf(value) != std::isinf(rounded) && !std::isinf(correct) &&
                             std::fabs(correct) > std::numeric_limits<T>::max() / Wide(1.000001);
      if (!(std::isnan(value) && std::isnan(rounded)) && !overflowsBarely) {
        if (!result.wrongLimits++) {
          result.wrongX = x;
          result.wrongY = y;
        }
      }
      return;
    }
    note(std::fabs(correct - value) / unitInLastPlace<T>(correct), x, y);
  }

private:
  void note(Wide ulps, T x, T y) {
    if (ulps > result.ulps) {
      result.ulps = static_cast<double>(ulps);
      result.x = x;
      result.y = y;
    }
  }
};

template <typename T>
using BitsOf = std::conditional_t<std::is_same_v<T, double>, uint64_t, uint32_t>;

template <typename T> std::vector<T> limits() {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  for (T value : {T(0), T(0.5), T(1), T(1.5), T(2), T(2.5), T(3), T(10), T(1e5), L::min(), L::max(),
                  L::denorm_min(), L::min() / 2, L::epsilon(), L::infinity(), L::quiet_NaN()})
    for (T sign : {T(1), T(-1)})
      values.push_back(value * sign);
  return values;
}

/// Random numbers of all magnitudes and of those around 1.
template <typename T> class Generator {
public:
  T next() {
    if (random() % 2)
      return std::bit_cast<T>(static_cast<BitsOf<T>>(random()));
    T fraction = std::uniform_real_distribution<T>(1, 2)(random);
    int exponent = std::uniform_int_distribution<int>(-12, 10)(random);
    return std::ldexp(random() % 2 ? fraction : -fraction, exponent);
  }
  int32_t nextCount() {
    int bits = std::uniform_int_distribution<int>(1, 12)(random);
    return static_cast<int32_t>(random() % (1u << bits)) - (1 << (bits - 1));
  }

private:
  std::mt19937_64 random{1};
};

template <typename T, typename Wide>
Accuracy measure(const Entry &entry, const References<Wide> &reference, const Sample &sample) {
  constexpr bool isDouble = std::is_same_v<T, double>;
  bool isUnary = bool(reference.unary), isCounted = bool(reference.counted);
  void *code =
      HostFormulas::get().compile(entry.formula.name, isDouble, isUnary ? 1 : 2, isCounted);
  Comparison<T, Wide> comparison;
  Generator<T> generator;
  if (isUnary) {
    auto *function = reinterpret_cast<T (*)(T)>(code);
    auto add = [&](T x) { comparison.add(x, 0, function(x), reference.unary(x)); };
    for (T x : limits<T>())
      add(x);
    for (int e = std::numeric_limits<T>::min_exponent; e < std::numeric_limits<T>::max_exponent;
         ++e)
      for (int offset = -1; offset <= 1; ++offset)
        for (BitsOf<T> sign : {0, 1}) {
          auto bits = std::bit_cast<BitsOf<T>>(std::ldexp(T(1), e)) + offset;
          add(std::bit_cast<T>(bits | sign << (sizeof(T) * 8 - 1)));
        }
    if (!isDouble)
      for (uint64_t bits = sample.start; bits < uint64_t(1) << 32; bits += sample.stride)
        add(static_cast<T>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
    for (uint64_t i = 0; isDouble && i < sample.count; ++i)
      add(generator.next());
  } else if (isCounted) {
    auto *function = reinterpret_cast<T (*)(T, int32_t)>(code);
    auto add = [&](T x, int32_t n) {
      comparison.add(x, n, function(x, n), reference.counted(x, n));
    };
    for (T x : limits<T>())
      for (int32_t n : {0, 1, -1, 2, 3, -3, 100, -149, 1000, -1100, 5000, -5000})
        add(x, n);
    for (uint64_t i = 0; i < sample.count; ++i)
      add(generator.next(), generator.nextCount());
  } else {
    auto *function = reinterpret_cast<T (*)(T, T)>(code);
    auto add = [&](T x, T y) { comparison.add(x, y, function(x, y), reference.binary(x, y)); };
    for (T x : limits<T>())
      for (T y : limits<T>())
        add(x, y);
    for (uint64_t i = 0; i < sample.count; ++i)
      add(generator.next(), generator.next());
  }
  return comparison.result;
}

} // namespace

std::span<const MeasuredFormula> test::measuredFormulas() {
  static const std::vector<MeasuredFormula> all = [] {
    std::vector<MeasuredFormula> formulas;
    for (const Entry &entry : entries())
      formulas.push_back(entry.formula);
    return formulas;
  }();
  return all;
}

Accuracy test::measureSingle(const std::string &name, const Sample &sample) {
  const Entry &entry = entryOf(name);
  return measure<float, double>(entry, entry.ofSingle, sample);
}

Accuracy test::measureDouble(const std::string &name, const Sample &sample) {
  const Entry &entry = entryOf(name);
  return measure<double, long double>(entry, entry.ofDouble, sample);
}
