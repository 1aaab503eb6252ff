//===- Observer.cpp - Observers of a compilation ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Observer.h"

#include "compiler/Session.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

namespace {

struct TellAfterPass : PassInstrumentation {
  explicit TellAfterPass(Observer &observer) : observer(observer) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    // The adaptor that runs passes on functions is not a pass that anybody named.
    if (pass->getArgument().empty())
      return;
    auto module = dyn_cast<ModuleOp>(op);
    StringRef name = pass->getName().rsplit("::").second;
    if (name.empty())
      name = pass->getName();
    name.consume_back("Pass");
    observer.afterPass(module ? module : op->getParentOfType<ModuleOp>(),
                       {name, pass->getArgument()});
  }

  Observer &observer;
};

} // namespace

void compiler::observe(PassManager &manager, Observer &observer) {
  manager.addInstrumentation(std::make_unique<TellAfterPass>(observer));
}

CompileResult compiler::compileObserved(const Source &source, const CompileOptions &options,
                                        Observer &observer, FileReader reader) {
  auto contexts = std::make_shared<ContextPool>();
  Session session(source, std::move(reader), contexts, nullptr);
  Worker worker(contexts->lease());
  CompileResult result = compileSpecialization(session, worker, options, &observer);
  observer.afterCompilation(result);
  return result;
}
