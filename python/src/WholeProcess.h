//===- WholeProcess.h - Forks wait for work that is under way -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A fork copies one thread, and the locks of all: one that another thread holds at that moment is
// held for ever in the child. Whoever compiles or simulates is a Use, and a fork waits until there
// is none. A Use does not need the GIL to end, so that a thread that forks may hold it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_WHOLEPROCESS_H
#define TILEWRIGHT_PYTHON_WHOLEPROCESS_H

#include <pthread.h>

#include <new>
#include <shared_mutex>

namespace tilewright::python {

class WholeProcess {
public:
  class Use {
  public:
    Use() : lock(mutex()) {}

  private:
    std::shared_lock<std::shared_mutex> lock;
  };

private:
  static std::shared_mutex &mutex() {
    static auto &only = *[] {
      // To the child, those who wait are gone: its lock is a new one.
      pthread_atfork([] { mutex().lock(); }, [] { mutex().unlock(); },
                     [] { new (&mutex()) std::shared_mutex(); });
      return new std::shared_mutex();
    }();
    return only;
  }
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_WHOLEPROCESS_H
