//===- TestPrecompiled.cpp - The source of the precompiled header -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Carries the precompiled header; see CMakeLists.txt.
//
//===--------------------------------------------------------------------------===//
