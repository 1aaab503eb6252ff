//===- ExternFunctions.cpp - Names of device library functions ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/ExternFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <tuple>
#include <vector>

using namespace tilewright;
using namespace tilewright::tt;
using llvm::StringRef;

namespace {

/// Functions of f32 and f64, by their number of operands: NAME is __nv_NAMEf and __nv_NAME.
constexpr llvm::StringLiteral regular[] = {
    "",
    "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf "
    "erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 floor j0 j1 lgamma log log10 log1p log2 logb "
    "nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc "
    "y0 y1",
    "atan2 copysign fdim fmod hypot nextafter pow remainder rhypot",
    "fma norm3d rnorm3d",
    "norm4d rnorm4d",
};

/// Operations in four roundings: NAME is __nv_fNAME and __nv_dNAME, followed by the rounding.
struct Rounding {
  StringRef name;
  unsigned operands;
};
constexpr Rounding rounded[] = {{"add", 2}, {"div", 2},  {"mul", 2},
                                {"rcp", 1}, {"sqrt", 1}, {"sub", 2}};
constexpr llvm::StringLiteral roundings[] = {"rn", "rz", "rd", "ru"};

struct Row {
  StringRef name, operands;
  char result;
  /// Without __nv_.
  StringRef symbol;
};

constexpr Row irregular[] = {
    {"abs", "i", 'i', "abs"},
    {"abs", "l", 'l', "llabs"},
    {"abs", "f", 'f', "fabsf"},
    {"abs", "d", 'd', "fabs"},
    {"brev", "i", 'i', "brev"},
    {"brev", "l", 'l', "brevll"},
    {"byte_perm", "iii", 'i', "byte_perm"},
    {"clz", "i", 'i', "clz"},
    {"clz", "l", 'i', "clzll"},
    {"double2hiint", "d", 'i', "double2hiint"},
    {"double2loint", "d", 'i', "double2loint"},
    {"double_as_longlong", "d", 'l', "double_as_longlong"},
    {"fast_cosf", "f", 'f', "fast_cosf"},
    {"fast_dividef", "ff", 'f', "fast_fdividef"},
    {"fast_exp10f", "f", 'f', "fast_exp10f"},
    {"fast_expf", "f", 'f', "fast_expf"},
    {"fast_log10f", "f", 'f', "fast_log10f"},
    {"fast_log2f", "f", 'f', "fast_log2f"},
    {"fast_logf", "f", 'f', "fast_logf"},
    {"fast_powf", "ff", 'f', "fast_powf"},
    {"fast_sinf", "f", 'f', "fast_sinf"},
    {"fast_tanf", "f", 'f', "fast_tanf"},
    {"ffs", "i", 'i', "ffs"},
    {"ffs", "l", 'i', "ffsll"},
    {"finitef", "f", 'i', "finitef"},
    {"float_as_int", "f", 'i', "float_as_int"},
    {"float_as_uint", "f", 'i', "float_as_uint"},
    {"hadd", "ii", 'i', "hadd"},
    {"hadd", "uu", 'u', "uhadd"},
    {"hiloint2double", "ii", 'd', "hiloint2double"},
    {"ilogb", "f", 'i', "ilogbf"},
    {"ilogb", "d", 'i', "ilogb"},
    {"int2double_rn", "i", 'd', "int2double_rn"},
    {"int_as_float", "i", 'f', "int_as_float"},
    {"isfinited", "d", 'i', "isfinited"},
    {"isinf", "f", 'i', "isinff"},
    {"isinf", "d", 'i', "isinfd"},
    {"isnan", "f", 'i', "isnanf"},
    {"isnan", "d", 'i', "isnand"},
    {"jn", "if", 'f', "jnf"},
    {"jn", "id", 'd', "jn"},
    {"ldexp", "fi", 'f', "ldexpf"},
    {"ldexp", "di", 'd', "ldexp"},
    {"llrint", "f", 'l', "llrintf"},
    {"llrint", "d", 'l', "llrint"},
    {"llround", "f", 'l', "llroundf"},
    {"llround", "d", 'l', "llround"},
    {"longlong_as_double", "l", 'd', "longlong_as_double"},
    {"mul24", "ii", 'i', "mul24"},
    {"mul24", "uu", 'u', "umul24"},
    {"mulhi", "ii", 'i', "mulhi"},
    {"mulhi", "uu", 'u', "umulhi"},
    {"mulhi", "ll", 'l', "mul64hi"},
    {"mulhi", "LL", 'L', "umul64hi"},
    {"popc", "i", 'i', "popc"},
    {"popc", "l", 'i', "popcll"},
    {"pow", "fi", 'f', "powif"},
    {"pow", "di", 'd', "powi"},
    {"rcp64h", "d", 'd', "rcp64h"},
    {"rhadd", "ii", 'i', "rhadd"},
    {"rhadd", "uu", 'u', "urhadd"},
    {"rsqrt_rn", "f", 'f', "frsqrt_rn"},
    {"sad", "iiu", 'i', "sad"},
    {"sad", "uuu", 'i', "usad"},
    {"saturatef", "f", 'f', "saturatef"},
    {"scalbn", "fi", 'f', "scalbnf"},
    {"scalbn", "di", 'd', "scalbn"},
    {"signbit", "f", 'i', "signbitf"},
    {"signbit", "d", 'i', "signbitd"},
    {"uint2double_rn", "u", 'd', "uint2double_rn"},
    {"uint_as_float", "i", 'f', "uint_as_float"},
    {"uint_as_float", "u", 'f', "uint_as_float"},
    {"yn", "if", 'f', "ynf"},
    {"yn", "id", 'd', "yn"},
};

struct Table {
  std::vector<ExternFunction> functions;
  llvm::StringMap<size_t> bySymbol;

  void add(const llvm::Twine &name, StringRef operands, char result, const llvm::Twine &symbol) {
    functions.push_back({name.str(), operands.str(), result, ("__nv_" + symbol).str()});
  }

  void addRegular() {
    for (size_t operands = 1; operands < std::size(regular); ++operands) {
      llvm::SmallVector<StringRef> names;
      regular[operands].split(names, ' ');
      for (StringRef name : names) {
        add(name, std::string(operands, 'f'), 'f', name + "f");
        add(name, std::string(operands, 'd'), 'd', name);
      }
    }
  }

  void addRounded() {
    for (StringRef rounding : roundings) {
      for (auto [name, operands] : rounded)
        for (char type : {'f', 'd'})
          add(name + "_" + rounding, std::string(operands, type), type,
              llvm::Twine(type) + name + "_" + rounding);
      add("fma_" + rounding, "fff", 'f', "fmaf_" + rounding);
      add("fma_" + rounding, "ddd", 'd', "fma_" + rounding);
      // Conversions. To unsigned integers, too, the result counts as signed.
      add("double2float_" + rounding, "d", 'f', "double2float_" + rounding);
      for (auto [from, fromType] : {std::pair("float", "f"), {"double", "d"}})
        for (auto [to, toType] : {std::pair("int", 'i'), {"uint", 'i'}, {"ll", 'l'}, {"ull", 'l'}})
          addConversion(from, fromType, to, toType, rounding);
      for (auto [from, fromType] :
           {std::pair("int", "i"), {"uint", "u"}, {"ll", "l"}, {"ull", "L"}})
        addConversion(from, fromType, "float", 'f', rounding);
      for (auto [from, fromType] : {std::pair("ll", "l"), {"ull", "L"}})
        addConversion(from, fromType, "double", 'd', rounding);
    }
  }

  void addConversion(StringRef from, StringRef fromType, StringRef to, char toType,
                     StringRef rounding) {
    std::string name = (from + "2" + to + "_" + rounding).str();
    add(name, fromType, toType, name);
  }

  Table() {
    addRegular();
    addRounded();
    for (const Row &row : irregular)
      add(row.name, row.operands, row.result, row.symbol);
    llvm::sort(functions, [](const ExternFunction &a, const ExternFunction &b) {
      return std::tie(a.name, a.symbol) < std::tie(b.name, b.symbol);
    });
    for (auto [index, function] : llvm::enumerate(functions))
      bySymbol[function.symbol] = index;
  }
};

const Table &table() {
  static const Table instance;
  return instance;
}

} // namespace

llvm::ArrayRef<ExternFunction> tt::allExternFunctions() { return table().functions; }

llvm::ArrayRef<ExternFunction> tt::findExternFunctions(StringRef name) {
  llvm::ArrayRef<ExternFunction> all = table().functions;
  auto begin = llvm::partition_point(
      all, [&](const ExternFunction &function) { return function.name < name; });
  auto end = std::find_if(begin, all.end(),
                          [&](const ExternFunction &function) { return function.name != name; });
  return {begin, end};
}

/// The function that AMD's library calls __ocml_NAME_f32 or __ocml_NAME_f64; null if there is none.
static const ExternFunction *findOcmlSymbol(StringRef symbol) {
  if (!symbol.consume_front("__ocml_"))
    return nullptr;
  auto [name, type] = symbol.rsplit('_');
  const char letter = type == "f32" ? 'f' : type == "f64" ? 'd' : 0;
  const bool takesInteger = name == "pown" || name == "ldexp" || name == "scalbn";
  name = llvm::StringSwitch<StringRef>(name)
             .Case("fabs", "abs")
             .Case("i0", "cyl_bessel_i0")
             .Case("i1", "cyl_bessel_i1")
             .Case("pown", "pow")
             .Default(name);
  for (const ExternFunction &function : findExternFunctions(name))
    if (function.operands.front() == letter && (function.operands.back() == 'i') == takesInteger)
      return &function;
  return nullptr;
}

const ExternFunction *tt::findExternSymbol(StringRef symbol) {
  auto found = table().bySymbol.find(symbol);
  if (found == table().bySymbol.end())
    return findOcmlSymbol(symbol);
  return &table().functions[found->second];
}
