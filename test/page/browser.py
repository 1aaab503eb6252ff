"""A headless Chromium, driven through its debugging pipe: no other package is needed.

The browser reads commands from file descriptor 3 and answers on 4, JSON ended by a zero byte:
https://chromedevtools.github.io/devtools-protocol/. It is Debian's chromium-headless-shell, or
chromium where that is installed.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


def find_browser():
    """The path of the browser; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. Use as a context."""

    def __init__(self, width=1500, height=950, dark=False):
        self.size = (width, height)
        self.dark = dark
        self.next_id = 0
        self.messages = []  # What the console got: (level, text).

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def put_pipes_in_place():
            # Neither may be overwritten by the other.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            close_fds=False, preexec_fn=put_pipes_in_place, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        width, height = self.size
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Performance.enable", timeDomain="threadTicks")
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def note(self, event):
        """Keeps what an event says of the console."""
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.consoleAPICalled":
            self.messages.append((parameters["type"], " ".join(
                str(arg.get("value", arg.get("description"))) for arg in parameters["args"])))
        elif event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(("error", details.get("exception", {}).get(
                "description", details["text"])))
        elif event.get("method") == "Log.entryAdded":
            self.messages.append((parameters["entry"]["level"], parameters["entry"]["text"]))

    def call(self, method, **parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.next_id:
                self.note(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def run(self, script):
        """The value of an expression of JavaScript; a promise's result."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait_for(self, script, seconds=20):
        """Asks until the expression is true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"never came true: {script}\n{self.messages}")
            time.sleep(0.01)

    def open(self, path):
        """Opens a file, and waits until its page says that it is ready. The milliseconds of the
        processor that the page took for it."""
        return self.measure(lambda: self.navigate(path))

    def navigate(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("document.body && document.body.dataset.ready === 'true'")

    def measure(self, action):
        """The milliseconds that the page's thread works during an action: unlike those of the clock
        they do not count what other processes do meanwhile."""
        before = self.processor_time()
        action()
        return self.processor_time() - before

    def processor_time(self):
        metrics = self.call("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def click(self, selector):
        """Clicks the middle of an element, with the mouse."""
        box = self.run(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: 'nearest'}});
            const {{left, top, width, height}} = element.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        }})()""")
        self.click_at(*box)

    def click_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def move_to(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      **({"text": key} if len(key) == 1 and kind == "keyDown" else {}))

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(data))
