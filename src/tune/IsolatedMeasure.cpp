//===- IsolatedMeasure.cpp - Configurations measured in child processes -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A child writes a line of JSON for each trial. What the first configuration made of the arguments
// lies in memory that all children share, since the child that made it may be gone when another
// one compares with it.
//
//===--------------------------------------------------------------------------===//

#include "tune/Measurement.h"
#include "tune/TrialJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::tune;
using runtime::ArgumentValue;
using runtime::HostArray;
using Json = nlohmann::ordered_json;

namespace {

Diagnostic systemError(const std::string &what) {
  return makeError(what + ": " + std::strerror(errno));
}

/// A forked process that writes lines to this one.
class Child {
public:
  /// `work` gets the file descriptor to write to; the child ends when it returns.
  template <typename Work> static Expected<Child> start(Work work) {
    int ends[2];
    if (pipe(ends) != 0)
      return systemError("cannot make a pipe");
    const pid_t process = fork();
    if (process < 0) {
      Diagnostic error = systemError("cannot start a process");
      close(ends[0]);
      close(ends[1]);
      return error;
    }
    if (process == 0) {
      close(ends[0]);
      work(ends[1]);
      // Destructors and buffers are the parent's.
      _exit(0);
    }
    close(ends[1]);
    return Child(process, ends[0]);
  }
  Child(Child &&other) noexcept
      : process(std::exchange(other.process, -1)), descriptor(std::exchange(other.descriptor, -1)),
        buffer(std::move(other.buffer)) {}
  ~Child() {
    if (process < 0)
      return;
    kill(process, SIGKILL);
    (void)wait();
    close(descriptor);
  }

  enum class Read { Line, End, TimedOut };

  /// The next line, without its end.
  Read readLine(std::string &line, std::chrono::duration<double> atMost) {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + atMost;
    while (true) {
      if (size_t end = buffer.find('\n'); end != std::string::npos) {
        line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        return Read::Line;
      }
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      pollfd polled{descriptor, POLLIN, 0};
      // A day is as good as for ever, and fits an int.
      const int ready = poll(&polled, 1, int(std::clamp<int64_t>(left.count(), 0, 86'400'000)));
      if (ready < 0 && errno == EINTR)
        continue;
      if (ready == 0)
        return Read::TimedOut;
      char bytes[4096];
      const ssize_t count = read(descriptor, bytes, sizeof(bytes));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return Read::End;
      buffer.append(bytes, size_t(count));
    }
  }

  /// How a child that has closed its end of the pipe ended, in words.
  std::string describeEnd() {
    const int status = wait();
    if (WIFSIGNALED(status))
      return std::string("ended by signal ") + strsignal(WTERMSIG(status));
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }

private:
  Child(pid_t process, int descriptor) : process(process), descriptor(descriptor) {}

  int wait() {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    process = -1;
    close(std::exchange(descriptor, -1));
    return status;
  }

  pid_t process;
  int descriptor;
  std::string buffer;
};

/// Writes a line; what goes wrong shows at the other end.
void writeLine(int descriptor, const Json &value) {
  const std::string line = textOf(value) + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t count = write(descriptor, line.data() + at, line.size() - at);
    if (count < 0 && errno != EINTR)
      return;
    at += count < 0 ? 0 : size_t(count);
  }
}

/// Arrays of the sizes that the arguments have, in memory that forked processes share.
class SharedResults {
public:
  static Expected<SharedResults> make(std::span<const ArgumentValue> arguments) {
    size_t bytes = 1;
    for (const ArgumentValue &argument : arguments)
      if (auto *array = std::get_if<HostArray>(&argument))
        bytes += array->bytes.size();
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return systemError("cannot get " + std::to_string(bytes) + " bytes of memory");
    return SharedResults(arguments, static_cast<std::byte *>(memory), bytes);
  }
  SharedResults(SharedResults &&other) noexcept
      : arguments(other.arguments), memory(std::exchange(other.memory, nullptr)),
        bytes(other.bytes) {}
  ~SharedResults() {
    if (memory)
      munmap(memory, bytes);
  }

  void write(std::span<const ArgumentValue> values) {
    std::byte *at = memory + 1;
    for (const ArgumentValue &value : values)
      if (auto *array = std::get_if<HostArray>(&value))
        at = std::copy(array->bytes.begin(), array->bytes.end(), at);
    // The last, so that nobody takes half of the arrays for all.
    memory[0] = std::byte(1);
  }

  std::optional<std::vector<ArgumentValue>> read() const {
    if (memory[0] == std::byte(0))
      return std::nullopt;
    std::vector<ArgumentValue> values(arguments.begin(), arguments.end());
    const std::byte *at = memory + 1;
    for (ArgumentValue &value : values)
      if (auto *array = std::get_if<HostArray>(&value)) {
        std::copy_n(at, array->bytes.size(), array->bytes.begin());
        at += array->bytes.size();
      }
    return values;
  }

private:
  SharedResults(std::span<const ArgumentValue> arguments, std::byte *memory, size_t bytes)
      : arguments(arguments), memory(memory), bytes(bytes) {}

  std::span<const ArgumentValue> arguments;
  /// Whether there are arrays, then their bytes, one array after the other.
  std::byte *memory;
  size_t bytes;
};

/// An error as a line of its own kind.
Json errorLine(const Diagnostic &error) {
  return {{"error", error.message}, {"remedy", error.remedy}};
}

/// The error that a line is; nothing if it is something else.
std::optional<Diagnostic> readErrorLine(const Json &line) {
  auto message = textMember(line, "error");
  if (!message)
    return std::nullopt;
  return makeError(*message, textMember(line, "remedy").value_or(""));
}

} // namespace

Expected<TuningResult> tune::measureIsolated(const OpenDevice &openDevice,
                                             std::span<const CompileResult> kernels,
                                             std::span<const ArgumentValue> arguments,
                                             const GridOf &gridOf, const MeasureOptions &options) {
  auto shared = SharedResults::make(arguments);
  if (!shared)
    return shared.error();
  auto work = [&](size_t begin, int descriptor) {
    Measurement measurement(openDevice, arguments, options);
    if (auto opened = measurement.open(); !opened)
      return writeLine(descriptor, errorLine(opened.error()));
    measurement.expected = shared->read();
    for (size_t index = begin; index < kernels.size() && !measurement.isBroken(); ++index) {
      const bool isFirst = !measurement.expected;
      Trial trial = measurement.run(index, kernels[index], gridOf(index));
      if (isFirst && measurement.expected)
        shared->write(*measurement.expected);
      writeLine(descriptor, toJson(trial));
    }
  };

  TuningResult result;
  auto add = [&](Trial trial) {
    append(result, std::move(trial));
    if (options.onTrial)
      options.onTrial(result.trials.size() - 1, result.trials.back());
  };
  while (result.trials.size() < kernels.size()) {
    const size_t begin = result.trials.size();
    auto child = Child::start([&](int descriptor) { work(begin, descriptor); });
    if (!child)
      return child.error();
    for (bool runs = true; runs && result.trials.size() < kernels.size();) {
      std::string line;
      switch (child->readLine(line, std::chrono::duration<double>(options.secondsAtMost))) {
      case Child::Read::Line: {
        const Json object = parseJson(line).value_or(Json());
        if (auto trial = trialFromJson(object)) {
          add(std::move(*trial));
          break;
        }
        if (auto error = readErrorLine(object))
          return *error;
        return makeError("a process that measures wrote '" + line + "'");
      }
      case Child::Read::TimedOut:
        add(failed(
            makeError(llvm::formatv("it took longer than {0} s", options.secondsAtMost).str(),
                      "allow more with --timeout, if it is to be that slow")));
        runs = false;
        break;
      case Child::Read::End:
        // A child that has failed a trial has said so and is gone. One that is gone without a word
        // is the fault of the trial that it was at.
        if (result.trials.size() == begin || result.trials.back().outcome != Trial::Outcome::Failed)
          add(failed(makeError("the process that measured it " + child->describeEnd())));
        runs = false;
        break;
      }
    }
  }
  return result;
}

Expected<std::string> tune::nameOfDevice(const OpenDevice &openDevice) {
  auto child = Child::start([&](int descriptor) {
    auto device = openDevice();
    writeLine(descriptor, device ? Json{{"name", (*device)->name()}} : errorLine(device.error()));
  });
  if (!child)
    return child.error();
  std::string line;
  if (child->readLine(line, std::chrono::minutes(1)) != Child::Read::Line)
    return makeError("the device does not open: the process that tried " + child->describeEnd());
  const Json object = parseJson(line).value_or(Json());
  if (auto name = textMember(object, "name"))
    return *name;
  if (auto error = readErrorLine(object))
    return *error;
  return makeError("a process that opened the device wrote '" + line + "'");
}
