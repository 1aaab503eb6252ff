//===- IntelMatrixTest.cpp - DPAS against the places of its elements ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions' names and the places of elements are written here as OpenCL's extension and the
// documentation of DPAS have them, and not by the maps of the atoms.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::HostArray;
using ::testing::HasSubstr;

namespace {

constexpr int lanes = 16;

/// How elements are held.
enum class Element { Half, BFloat, Float, Byte, UnsignedByte, Int };

std::string typeOf(Element element) {
  switch (element) {
  case Element::Half:
    return "half";
  case Element::BFloat:
    return "i16";
  case Element::Float:
    return "float";
  case Element::Byte:
  case Element::UnsignedByte:
    return "i8";
  case Element::Int:
    return "i32";
  }
  return {};
}

std::string vectorOf(int count, const std::string &type) {
  return count == 1 ? type : "<" + std::to_string(count) + " x " + type + ">";
}

/// `%<name> = ` the i32 %<name>w as an element.
std::string fromWord(const std::string &name, Element element) {
  const std::string result = "%" + name + " = ", word = " i32 %" + name + "w to ";
  switch (element) {
  case Element::BFloat:
    return "%" + name + "f = sitofp" + word + "float\n%" + name + "b = bitcast float %" + name +
           "f to i32\n%" + name + "s = lshr i32 %" + name + "b, 16\n" + result + "trunc i32 %" +
           name + "s to i16\n";
  case Element::Half:
  case Element::Float:
    return result + "sitofp" + word + typeOf(element) + "\n";
  case Element::Byte:
  case Element::UnsignedByte:
    return result + "trunc" + word + "i8\n";
  case Element::Int:
    return result + "add i32 %" + name + "w, 0\n";
  }
  return {};
}

/// `%<name> = ` the element %<name>e as an i32.
std::string toWord(const std::string &name, Element element) {
  const std::string result = "%" + name + " = ", value = "%" + name + "e";
  if (element == Element::BFloat)
    return "%" + name + "z = zext i16 " + value + " to i32\n%" + name + "s = shl i32 %" + name +
           "z, 16\n%" + name + "f = bitcast i32 %" + name + "s to float\n" + result +
           "fptosi float %" + name + "f to i32\n";
  if (element == Element::Int)
    return result + "add i32 " + value + ", 0\n";
  return result + "fptosi " + typeOf(element) + " " + value + " to i32\n";
}

/// What register `reg` of a lane holds: a number from `least` to `least` + 3, other ones for each
/// operand.
struct Numbers {
  int ofLane, ofRegister, least;
  int at(int lane, int reg) const { return ((lane * ofLane + reg * ofRegister) & 3) + least; }
};
constexpr Numbers ofA = {5, 3, -2}, ofB = {3, 7, -1}, ofC = {1, 3, 4};

/// `%<name> = ` an operand of `count` elements, as a `type`.
std::string operand(const std::string &name, const Numbers &numbers, int count, Element element,
                    const std::string &type) {
  std::string text, last = "poison";
  const std::string vector = vectorOf(count, typeOf(element));
  for (int i = 0; i < count; ++i) {
    const std::string n = name + "_" + std::to_string(i);
    text += "%" + n + "m = mul i32 %t, " + std::to_string(numbers.ofLane) + "\n%" + n +
            "p = add i32 %" + n + "m, " + std::to_string(i * numbers.ofRegister) + "\n%" + n +
            "q = and i32 %" + n + "p, 3\n%" + n + "w = add i32 %" + n + "q, " +
            std::to_string(numbers.least) + "\n" + fromWord(n, element);
    if (count == 1)
      last = "%" + n;
    else
      text += "%" + n + "v = insertelement " + vector + " " + last + ", " + typeOf(element) + " %" +
              n + ", i32 " + std::to_string(i) + "\n";
    if (count > 1)
      last = "%" + n + "v";
  }
  return text + "%" + name + " = bitcast " + vector + " " + last + " to " + type + "\n";
}

struct Product {
  /// Without "intel_sub_group_", and mangled parameters for 8, 4, 2 and 1 rows, if there are such.
  std::string name;
  std::vector<std::string> parameters;
  Element a, b, sum;
  int k;
};

const Product products[] = {
    {"f16_f16_matrix_mad_k16",
     {"Dv8_sDv8_iDv8_f", "Dv4_sDv8_iDv4_f", "Dv2_sDv8_iDv2_f", "sDv8_if"},
     Element::Half,
     Element::Half,
     Element::Float,
     16},
    {"f16_f16_matrix_mad_k16",
     {"Dv8_sDv8_iDv8_Dh", "Dv4_sDv8_iDv4_Dh", "Dv2_sDv8_iDv2_Dh", "sDv8_iDh"},
     Element::Half,
     Element::Half,
     Element::Half,
     16},
    {"bf16_bf16_matrix_mad_k16",
     {"Dv8_sDv8_iDv8_f", "Dv4_sDv8_iDv4_f", "Dv2_sDv8_iDv2_f", "sDv8_if"},
     Element::BFloat,
     Element::BFloat,
     Element::Float,
     16},
    {"bf16_bf16_matrix_mad_k16",
     {"Dv8_sDv8_iS_", "Dv4_sDv8_iS_", "Dv2_sDv8_iS_", "sDv8_is"},
     Element::BFloat,
     Element::BFloat,
     Element::BFloat,
     16},
    {"tf32_tf32_matrix_mad_k8",
     {"Dv4_fDv8_fS0_", "Dv2_fDv8_fDv4_f", "fDv8_fDv2_f"},
     Element::Float,
     Element::Float,
     Element::Float,
     8},
    {"i8_i8_matrix_mad_k32",
     {"Dv8_sDv8_iS0_", "Dv4_sDv8_iDv4_i", "Dv2_sDv8_iDv2_i", "sDv8_ii"},
     Element::Byte,
     Element::Byte,
     Element::Int,
     32},
    {"i8_u8_matrix_mad_k32",
     {"Dv8_sDv8_jDv8_i", "Dv4_sDv8_jDv4_i", "Dv2_sDv8_jDv2_i", "sDv8_ji"},
     Element::Byte,
     Element::UnsignedByte,
     Element::Int,
     32},
    {"u8_i8_matrix_mad_k32",
     {"Dv8_tDv8_iS0_", "Dv4_tDv8_iDv4_i", "Dv2_tDv8_iDv2_i", "tDv8_ii"},
     Element::UnsignedByte,
     Element::Byte,
     Element::Int,
     32},
    {"u8_u8_matrix_mad_k32",
     {"Dv8_tDv8_jDv8_i", "Dv4_tDv8_jDv4_i", "Dv2_tDv8_jDv2_i", "tDv8_ji"},
     Element::UnsignedByte,
     Element::UnsignedByte,
     Element::Int,
     32},
};

/// The number that a byte which holds `number` stands for.
int64_t valueOf(int number, Element element) {
  return element == Element::UnsignedByte ? number & 255 : number;
}

/// Elements of A in a lane, and that of row `row` and column `k`: words of 16 bits have rows of 16
/// lanes; f32 has rows of 8, two of them next to each other.
int elementsOfA(const Product &product, int rows) { return rows * product.k / lanes; }
int numberOfA(const Product &product, int row, int k) {
  if (product.k == 8)
    return ofA.at(row % 2 * 8 + k, row / 2);
  const int packed = product.k / 16;
  return ofA.at(k / packed, row * packed + k % packed);
}

std::string declare(const std::string &function, const std::string &a, const std::string &b,
                    const std::string &c) {
  return "declare spir_func " + c + " @" + function + "(" + a + ", " + b + ", " + c + ")\n";
}

void expectProduct(const Product &product, int rows, const std::string &parameters) {
  const std::string name = "intel_sub_group_" + product.name,
                    function = "_Z" + std::to_string(name.size()) + name + parameters;
  SCOPED_TRACE(function);
  const int aElements = elementsOfA(product, rows);
  const bool isTf32 = product.a == Element::Float;
  const std::string a = isTf32 ? vectorOf(aElements, "float") : vectorOf(rows, "i16"),
                    b = isTf32 ? "<8 x float>" : "<8 x i32>",
                    c = vectorOf(rows, typeOf(product.sum));
  std::string body = operand("a", ofA, aElements, product.a, a) +
                     operand("b", ofB, product.k, product.b, b) +
                     operand("c", ofC, rows, product.sum, c) + "%d = call spir_func " + c + " @" +
                     function + "(" + a + " %a, " + b + " %b, " + c + " %c)\n";
  for (int row = 0; row < rows; ++row) {
    const std::string n = "r" + std::to_string(row);
    body += "%" + n + "e = ";
    body += rows == 1 ? "bitcast " + c + " %d to " + c + "\n"
                      : "extractelement " + c + " %d, i32 " + std::to_string(row) + "\n";
    body += toWord(n, product.sum);
  }
  const HostArray out = intelLanes(lanes).run(declare(function, a, b, c), body, rows);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < lanes; ++column) {
      int64_t sum = ofC.at(column, row);
      for (int k = 0; k < product.k; ++k)
        sum +=
            valueOf(numberOfA(product, row, k), product.a) * valueOf(ofB.at(column, k), product.b);
      EXPECT_EQ(out.at(row * lanes + column), sum) << "row " << row << ", column " << column;
    }
}

TEST(IntelMatrix, AllProducts) {
  for (const Product &product : products)
    for (size_t i = 0; i < product.parameters.size(); ++i)
      expectProduct(product, 8 >> i, product.parameters[i]);
}

constexpr char ofHalves[] = "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f";

/// A call of `function` with a first operand of `type`.
std::string callOfHalves(const std::string &function, const std::string &type) {
  return "%d = call spir_func <8 x float> @" + function + "(" + type +
         " zeroinitializer, <8 x i32> zeroinitializer, <8 x float> zeroinitializer), !dbg !1000\n"
         "%r0 = add i32 %t, 0\n";
}

TEST(IntelMatrix, SubGroupsOfAnotherSize) {
  EXPECT_THAT(intelLanes(32).error(declare(ofHalves, "<8 x i16>", "<8 x i32>", "<8 x float>"),
                                   callOfHalves(ofHalves, "<8 x i16>")),
              AllOf(HasSubstr("kernel.py:10:7"),
                    HasSubstr("the product is one of sub-groups of 16 lanes, and the kernel's have "
                              "32")));
}

/// Rows of A and C that do not match.
TEST(IntelMatrix, FunctionsThatAreNot) {
  const std::string function = "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv4_sDv8_iDv8_f";
  EXPECT_THAT(intelLanes(lanes).error(declare(function, "<4 x i16>", "<8 x i32>", "<8 x float>"),
                                      callOfHalves(function, "<4 x i16>")),
              AllOf(HasSubstr("kernel.py:10:7"), HasSubstr("matrix_mad_k16")));
}

} // namespace
