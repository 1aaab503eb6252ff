//===- PassHistory.cpp - The IR after each pass -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/PassHistory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;
using compiler::Stage;

static StringRef nameOf(Stage stage) {
  switch (stage) {
  case Stage::Source:
    return "source";
  case Stage::TTIR:
    return "ttir";
  case Stage::TTGIR:
    return "ttgir";
  case Stage::LLVM:
    return "llvm";
  }
  return "";
}

void PassHistory::add(ModuleOp module, const compiler::PassName &pass, Stage stage) {
  add({pass.name.str(), pass.flag.str(), nameOf(stage), {}, {}},
      std::move(PrintedModule(module, places).linked()));
}

void PassHistory::add(const llvm::Module &module, StringRef step) {
  add({step.str(), "", "llir", {}, {}}, linkLlvmIr(module, places));
}

void PassHistory::add(PassRecord record, LinkedText text) {
  if (text.text != current) {
    record.hunks = diffIR(current, text.text);
    current = text.text;
    record.after = std::move(text);
  }
  records.push_back(std::move(record));
}

llvm::json::Array PassHistory::json() const {
  llvm::json::Array passes;
  for (const PassRecord &record : records) {
    llvm::json::Object pass{{"name", record.name}, {"flag", record.flag}, {"stage", record.stage}};
    if (!record.after.text.empty()) {
      llvm::json::Array hunks;
      for (const Hunk &hunk : record.hunks)
        hunks.push_back(
            llvm::json::Array{hunk.oldBegin + 1, hunk.oldCount, hunk.newBegin + 1, hunk.newCount});
      pass["hunks"] = std::move(hunks);
      pass["text"] = record.after.text;
      pass["links"] = record.after.linksJson();
    }
    passes.push_back(std::move(pass));
  }
  return passes;
}
