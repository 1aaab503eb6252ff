//===- SanitizerOptions.cpp - How the address sanitizer runs -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's libraries are built without sanitizers, its headers are compiled here with them. An
// allocator that both use is then poisoned by our code and handed out by theirs, which says
// nothing of it to the sanitizer: poisoning by the program has to be off. What is checked as well:
// that no file's variables need those of another one while both are initialised, since in which
// order that happens is the linker's choice.
//
//===--------------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "check_initialization_order=1:strict_init_order=1";
}
