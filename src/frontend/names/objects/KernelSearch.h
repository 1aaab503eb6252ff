//===- KernelSearch.h - Which function is the kernel ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_KERNELSEARCH_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_KERNELSEARCH_H

#include "frontend/names/ResolverPart.h"

namespace tilewright::frontend {

class KernelSearch : public ResolverPart {
public:
  using Kernels = llvm::SmallVector<const FunctionObject *>;

  explicit KernelSearch(Resolver &resolver) : ResolverPart(resolver) {}

  /// The kernel of that name (`k`, `C.k`), or without a name the only one that no other one calls.
  /// Null after an error.
  const FunctionObject *choose(llvm::StringRef name);
  /// The kernels of the module itself, by the order of the text. Of several definitions of a name,
  /// of which conditions choose, the last.
  Kernels ofModule();
  /// Those of an environment and of all inside of its body; of that name, if it is not empty.
  void collect(const Body &body, const Environment &environment, llvm::StringRef name,
               Kernels &kernels);
  /// Those of the kernels that no other one calls.
  static Kernels rootsOf(llvm::ArrayRef<const FunctionObject *> kernels);

private:
  /// What a module-level name means, if it is a kernel.
  const FunctionObject *named(llvm::StringRef name);
  /// Those that stand in classes and in functions.
  void collectInner(const Body &body, const Environment &environment, llvm::StringRef name,
                    Kernels &kernels);
  /// Whether it is not known what a decorator of a function of the module is, so that it may make
  /// a kernel: an error then. Of the functions of that name, if it is not empty.
  bool refuseDecorators(llvm::StringRef name);
  /// Where a function stands: `C.k`.
  static std::string pathOf(const FunctionObject &function);
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_KERNELSEARCH_H
