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
extern "C" __float128 logf128(__float128) noexcept;

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

/// The v where erfc v = y, for 0 < y <= 1: Newton's method on the logarithms.
__float128 inverseComplement(__float128 y) {
  const __float128 goal = logf128(y);
  // 2 / sqrt pi in 113 bits.
  const __float128 factor = static_cast<__float128>(0x1.20dd750429b6dp0) + 0x1.1ae3a914fed8p-56;
  const auto narrow = static_cast<long double>(y);
  __float128 v = narrow > 0.1L ? (1 - narrow) * 0.9L
                               : std::sqrt(-std::log(narrow * std::sqrt(-std::log(narrow))));
  for (int step = 0; step < 12; ++step) {
    __float128 complement = erfcf128(v);
    v += (logf128(complement) - goal) * complement / (factor * expf128(-v * v));
  }
  return v;
}

template <typename T> T inverseError(T x, bool ofComplement) {
  // The distance to the nearer of the ends, which is exact.
  const __float128 wide = x, y = ofComplement ? wide : 1 - wide;
  if (!(y >= 0 && y <= 2))
    return std::numeric_limits<T>::quiet_NaN();
  if (y == 0 || y == 2)
    return y == 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  // Near 1, x times half the root of pi, with x^2 pi / 12 beside 1.
  const __float128 distance = ofComplement ? 1 - wide : wide;
  if (std::fabs(static_cast<long double>(distance)) < 1e-6L)
    return static_cast<T>(distance * 0.88622692545275801364908374167057259140L *
                          (1 + distance * distance * (std::numbers::pi_v<long double> / 12)));
  return static_cast<T>(y <= 1 ? inverseComplement(y) : -inverseComplement(2 - y));
}

template <typename T> T inverseNormal(T p) {
  const __float128 root = static_cast<__float128>(0x1.6a09e667f3bcdp0) - 0x1.bdd3413b26456p-54;
  T quantile = inverseError(2 * p, true);
  return std::isfinite(quantile) ? static_cast<T>(-root * quantile) : -quantile;
}

/// e^-x I of order 0 or 1 for large x, times sqrt(2 pi x), by Hankel's series.
long double modifiedSeries(int order, long double x) {
  long double term = 1, sum = 1;
  for (int k = 1; k < 25; ++k) {
    term *= -(4.0L * order * order - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    sum += term;
  }
  return sum;
}

template <typename T> T modifiedBessel(int order, T x) {
  const long double size = std::fabs(static_cast<long double>(x));
  long double value = size;
  if (size > 60 && std::isfinite(x))
    value = std::exp(size) / std::sqrt(2 * std::numbers::pi_v<long double> * size) *
            modifiedSeries(order, size);
  else if (size <= 60)
    value = std::cyl_bessel_i(static_cast<long double>(order), size);
  return static_cast<T>(order == 1 ? std::copysign(value, static_cast<long double>(x)) : value);
}

// The C library has them for each type.
double besselJ(int n, double x) { return ::jn(n, x); }
long double besselJ(int n, long double x) { return ::jnl(n, x); }
double besselY(int n, double x) { return ::yn(n, x); }
long double besselY(int n, long double x) { return ::ynl(n, x); }

/// Beside their zeros from 8 on, oscillating functions are measured by their amplitude.
template <typename T> T amplitude(T x, T from) {
  x = std::fabs(x);
  return x < from || std::isinf(x) ? 0 : std::sqrt(2 / (std::numbers::pi_v<T> * x));
}

template <typename T> struct References {
  std::function<T(T)> unary;
  std::function<T(T, T)> binary;
  /// The second operand is an i32.
  std::function<T(T, int32_t)> counted;
  /// The least size by which an error is measured; none: that of the result alone.
  std::function<T(T, T)> scale = {};
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

template <typename Scale> Entry scaled(Entry entry, Scale scale) {
  entry.ofSingle.scale = scale;
  entry.ofDouble.scale = scale;
  return entry;
}
/// Functions of x and the order n.
template <typename F> Entry bessel(const char *name, double single, double wide, F f) {
  return scaled(counted(name, single, wide, f), [](auto x, auto n) {
    return amplitude(x, std::max<decltype(x)>(8, std::fabs(n)));
  });
}
template <typename F> Entry bessel(const char *name, double bound, F f) {
  return scaled(unary(name, 0.51, bound, f),
                [](auto x, auto) { return amplitude<decltype(x)>(x, 8); });
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
      unary("cyl_bessel_i0", 0.51, 5, [](auto x) { return modifiedBessel(0, x); }),
      unary("cyl_bessel_i1", 0.51, 10, [](auto x) { return modifiedBessel(1, x); }),
      unary("erf", 2, 1.5, [](auto x) { return std::erf(x); }),
      unary("erfc", 5, 4, [](auto x) { return std::erfc(x); }),
      unary("erfcinv", 3, 3, [](auto x) { return inverseError(x, true); }),
      unary("erfcx", 4, 4, [](auto x) { return scaledComplement(x); }),
      unary("erfinv", 3, 3, [](auto x) { return inverseError(x, false); }),
      unary("exp", 1, 1, [](auto x) { return std::exp(x); }),
      unary("exp10", 1.5, 1.5, [](auto x) { return std::pow(decltype(x)(10), x); }),
      unary("exp2", 1.25, 1.25, [](auto x) { return std::exp2(x); }),
      unary("expm1", 2, 2, [](auto x) { return std::expm1(x); }),
      binary("fdim", 0.5, 0.5, [](auto x, auto y) { return std::fdim(x, y); }),
      binary("fmod", 0, 0, [](auto x, auto y) { return std::fmod(x, y); }),
      binary("hypot", 1.5, 1.5, [](auto x, auto y) { return std::hypot(x, y); }),
      bessel("j0", 6, [](auto x) { return besselJ(0, x); }),
      bessel("j1", 5, [](auto x) { return besselJ(1, x); }),
      bessel("jn", 0.51, 200, [](auto x, int32_t n) { return besselJ(n, x); }),
      counted("ldexp", 0.5, 0.5, [](auto x, int32_t n) { return std::ldexp(x, n); }),
      // Of negative numbers it is a difference of what may be much larger.
      scaled(unary("lgamma", 0.51, 6, [](auto x) { return std::lgamma(x); }),
             [](auto x, auto) { return x < 0 ? 1 + std::lgamma(1 - x) : decltype(x)(0); }),
      unary("log", 1, 1, [](auto x) { return std::log(x); }),
      unary("log10", 1.25, 1.25, [](auto x) { return std::log10(x); }),
      unary("log1p", 2, 2, [](auto x) { return std::log1p(x); }),
      unary("log2", 1.25, 1.25, [](auto x) { return std::log2(x); }),
      unary("logb", 0, 0, [](auto x) { return std::logb(x); }),
      unary("normcdf", 5, 5, [](auto x) { return normalDistribution(x); }),
      unary("normcdfinv", 4, 5, [](auto p) { return inverseNormal(p); }),
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
      unary("tgamma", 0.51, 6, [](auto x) { return x == 0 ? 1 / x : std::tgamma(x); }),
      bessel("y0", 5, [](auto x) { return besselY(0, x); }),
      bessel("y1", 5, [](auto x) { return besselY(1, x); }),
      bessel("yn", 0.51, 200, [](auto x, int32_t n) { return besselY(n, x); }),
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

  explicit Comparison(const std::function<Wide(Wide, Wide)> &scale) : scale(scale) {}

  void add(T x, T y, T value, Wide correct) {
    ++result.inputs;
    T rounded = static_cast<T>(correct);
    if (value == rounded && std::signbit(value) == std::signbit(rounded)) {
      // Right where rounded; the error is still up to a half.
      if (std::isfinite(rounded))
        note(value, correct, x, y);
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
    note(value, correct, x, y);
  }

private:
  const std::function<Wide(Wide, Wide)> &scale;

  void note(T value, Wide correct, T x, T y) {
    Wide size = std::fabs(correct);
    if (scale)
      size = std::max(size, scale(x, y));
    Wide ulps = std::fabs(correct - value) / unitInLastPlace<T>(size);
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
  Comparison<T, Wide> comparison(reference.scale);
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
