//===- tilewright.cpp - The tilewright command --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"

int main(int argc, char **argv) { return tilewright::cli::runCommandLine(argc, argv); }
