//===- AtomText.h - Lists of atoms for people -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_ATOMTEXT_H
#define TILEWRIGHT_VIEW_ATOMTEXT_H

#include "target/Target.h"
#include "view/Namespaces.h"

#include <string>

namespace tilewright::view {

/// A target's copies and products, a line each, under the line of its name. Products that differ in
/// N alone share a line, which has all N.
///
///     cuda:90
///     copy      issuer  async  bits  times  from    to
///     ldmatrix  warp    no     1024  1 2 4  shared  registers
///
///     product                          issuer     async  d    a    b    A in    B in    ..
///     wgmma.m64nNk16.f32.f16.f16.ss    warpgroup  yes    f32  f16  f16  shared  shared  ..
std::string atomsText(const Target &target);

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_ATOMTEXT_H
