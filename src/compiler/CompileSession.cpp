//===- CompileSession.cpp - One source, many specializations ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/CompileSession.h"

#include "compiler/Session.h"
#include "runtime/files/Files.h"
#include "tilewright/Cache.h"

#include "llvm/Support/ThreadPool.h"

using namespace tilewright;
using namespace tilewright::compiler;

//===--------------------------------------------------------------------------===//
// Session
//===--------------------------------------------------------------------------===//

Session::Session(Source source, FileReader reader, std::shared_ptr<ContextPool> contexts,
                 std::shared_ptr<Cache> cache)
    : source(std::move(source)), reader(reader ? std::move(reader) : runtime::readFromDisk),
      files(this->reader), contexts(std::move(contexts)), cache(std::move(cache)) {}

std::optional<std::string_view> Session::textOf(std::string_view file) {
  if (file == source.name)
    return source.text;
  return files.textOf(file);
}

const Session::ParsedPython &Session::parsedPython() {
  std::call_once(parseOnce,
                 [&] { parsed = frontend::ParsedModule::parse(source.name, source.text); });
  return *parsed;
}

std::unique_ptr<Worker> Session::takeWorker() {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      std::unique_ptr<Worker> worker = std::move(idle.back());
      idle.pop_back();
      return worker;
    }
  }
  return std::make_unique<Worker>(contexts->lease());
}

void Session::giveBack(std::unique_ptr<Worker> worker) {
  std::lock_guard lock(mutex);
  idle.push_back(std::move(worker));
}

CompileResult Session::compile(const CompileOptions &options) {
  if (cache)
    return cache->compile(source, options, reader, [&] { return compileAnew(options); });
  return compileAnew(options);
}

CompileResult Session::compileAnew(const CompileOptions &options) {
  std::unique_ptr<Worker> worker = takeWorker();
  CompileResult result = compileSpecialization(*this, *worker, options);
  giveBack(std::move(worker));
  return result;
}

//===--------------------------------------------------------------------------===//
// CompileSession
//===--------------------------------------------------------------------------===//

CompileSession::CompileSession(Source source, FileReader reader, std::shared_ptr<Cache> cache)
    : CompileSession(std::make_unique<Session>(std::move(source), std::move(reader),
                                               std::make_shared<ContextPool>(), std::move(cache))) {
}
CompileSession::CompileSession(std::unique_ptr<Session> session) : session(std::move(session)) {}
CompileSession::CompileSession(CompileSession &&) noexcept = default;
CompileSession &CompileSession::operator=(CompileSession &&) noexcept = default;
CompileSession::~CompileSession() = default;

CompileResult CompileSession::compile(const CompileOptions &options) {
  return session->compile(options);
}

std::vector<CompileResult>
CompileSession::compileAll(const std::vector<CompileOptions> &specializations, unsigned threads,
                           const std::function<void(size_t index)> &onCompiled) {
  std::vector<CompileResult> results(specializations.size());
  std::mutex mutex;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (size_t i = 0; i < specializations.size(); ++i)
    pool.async([&, i] {
      results[i] = session->compile(specializations[i]);
      if (onCompiled) {
        std::lock_guard lock(mutex);
        onCompiled(i);
      }
    });
  pool.wait();
  return results;
}
