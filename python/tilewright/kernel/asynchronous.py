"""Compiling on threads of the program's own, while it goes on."""

import contextvars

#: The AsyncCompileMode of the moment, or None.
active_mode = contextvars.ContextVar("tilewright_async_compile_mode", default=None)


class FutureKernel:
    """A kernel that is being compiled. `finalize_compile` gets it once."""

    def __init__(self, finalize_compile, future):
        self.finalize_compile = finalize_compile
        self.future = future
        self.kernel = None

    def result(self):
        """The Compiled, when it is done; the error that it ended in is raised."""
        if self.kernel is None:
            kernel = self.future.result()
            self.finalize_compile(kernel)
            self.kernel = kernel
        return self.kernel

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.result(), name)


class AsyncCompileMode:
    """A context in which kernel.warmup(..) has an executor compile, and returns a FutureKernel; a
    launch waits for the one that it needs. At its end all are done."""

    def __init__(self, executor):
        self.executor = executor
        self.raw_futures = []
        self.future_kernels = {}

    def submit(self, key, compile_fn, finalize_fn):
        """What is compiled by compile_fn(), once for each key; finalize_fn(kernel) is called by who
        first asks for it."""
        if key not in self.future_kernels:
            future = self.executor.submit(compile_fn)
            self.raw_futures.append(future)
            self.future_kernels[key] = FutureKernel(finalize_fn, future)
        return self.future_kernels[key]

    def submit_request(self, function, request):
        """A Request of a jitted function; what is compiled already is done at once."""
        def keep(compiled):
            function._compiled.setdefault(request.key, compiled)
        known = function._compiled.get(request.key)
        if known is not None:
            from concurrent.futures import Future
            done = Future()
            done.set_result(known)
            return FutureKernel(keep, done)
        return self.submit((function, request.key), request.compile, keep)

    def finish(self, function, request):
        """Waits for a request, if it was submitted."""
        future = self.future_kernels.get((function, request.key))
        if future is not None:
            future.result()

    def __enter__(self):
        if active_mode.get() is not None:
            raise RuntimeError("Another AsyncCompileMode is already active")
        self._token = active_mode.set(self)
        return self

    def __exit__(self, *error):
        from concurrent.futures import wait
        active_mode.reset(self._token)
        wait(self.raw_futures)
        for future in self.future_kernels.values():
            future.result()
