//===- DescriptorKernel.h - A kernel by hardware and by pointers ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel with descriptors is compiled twice: with arguments that are known to be multiples of 16
// its descriptors are tensor maps, whose blocks the tensor memory accelerator copies; otherwise
// they are pointers. Both give the same bits, however early copies are complete.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_DESCRIPTORKERNEL_H
#define TILEWRIGHT_TEST_E2E_DESCRIPTORKERNEL_H

#include "DotKernel.h"
#include "IRText.h"

namespace tilewright::test {

/// The inputs of a kernel with descriptors.
struct DescriptorKernel {
  std::string body;
  /// With ":16" where the copies need to know; '@' is the number of stages.
  std::string signature;
  std::vector<ArgumentValue> arguments;
  Grid grid = {};
  int numWarps = 4;
  std::string target = "cuda:90";
};

/// Checks that both ways leave the same in all arrays, and something new in one of them; in 1 to 5
/// stages if the signature has their number.
void checkSame(const DescriptorKernel &kernel);

/// Values of any type.
HostArray filled(ElementType type, std::vector<int64_t> shape);

/// Not what anything is written as.
HostArray blank(ElementType type, std::vector<int64_t> shape);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_DESCRIPTORKERNEL_H
