"""Tests of the page of `tilewright report` in a headless Chromium: links between the texts, all tabs,
keys, colours, sizes, and that nothing is asked of a network.

usage: report_page_test.py --tilewright PATH [--screenshots DIR] [NAME ..]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, find_browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
arguments = None

MATMUL = ["examples/gemm.py", "--kernel", "matmul", "--num-stages", "3", "--signature",
          "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:16, i32:16, "
          "128, 256, 64, 8"]
PRODUCT = [*MATMUL, "--num-warps", "8"]
# Many products of a warp: thousands of lines of PTX.
LONG = [*MATMUL, "--target", "cuda:80", "--num-warps", "4"]
SLOW = ["examples/slow.py", "--signature",
        "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, i32, i32, i32:16, i32:16, 64, 64, 32",
        "--grid", "1", "--arg", "a_ptr=rand(4096)", "--arg", "b_ptr=rand(4096)",
        "--arg", "scale_ptr=rand(2048)", "--arg", "c_ptr=zeros(4096)", "--arg", "K=64",
        "--arg", "stride_am=1", "--arg", "stride_ak=64", "--arg", "stride_bk=64",
        "--arg", "stride_cm=64", "--trace"]


def write_report(options, name):
    path = os.path.join(arguments.folder, name + ".html")
    if not os.path.exists(path):
        subprocess.run([arguments.tilewright, "report", *options, "-o", path], cwd=ROOT, check=True)
    return path


def line_with(words, file="examples/gemm.py", after=0):
    """The number of the first line with these words, from 1."""
    with open(os.path.join(ROOT, file), encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    return next(i + 1 for i, line in enumerate(lines) if i >= after and words in line)


class PageTest(unittest.TestCase):
    options, name, window = PRODUCT, "product", {}

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser(**cls.window))

    def setUp(self):
        self.browser.messages.clear()
        self.milliseconds = self.browser.open(write_report(self.options, self.name))

    def tearDown(self):
        if arguments.screenshots:
            self.browser.screenshot(os.path.join(arguments.screenshots, self._testMethodName + ".png"))
        self.assertEqual(self.browser.messages, [], "the console is to be empty")

    def run_script(self, script):
        return self.browser.run(script)

    def show(self, tab):
        self.browser.click(f"#tab-{tab}")
        self.browser.wait_for(f"document.getElementById('panel').dataset.view === '{tab}'")

    def linked(self, pane):
        """The texts of the lines of a pane that are linked to the selected one, by kind."""
        return self.run_script(f"""(() => {{
            const pane = app.views.code.panes.find(({{text}}) => text.id === '{pane}');
            const lines = {{exact: [], near: []}};
            for (const [line, kind] of pane.marked)
                if (pane.editor.lineInfo(line).bgClass.includes(`linked-${{kind}}`))
                    lines[kind].push(pane.editor.getLine(line));
            return lines;
        }})()""")

    def click_line(self, pane, line):
        """Clicks a line of the tab Code with the mouse; lines count from 1."""
        box = self.run_script(f"""(() => {{
            const {{editor}} = app.views.code.panes.find(({{text}}) => text.id === '{pane}');
            editor.scrollIntoView({{line: {line - 1}, ch: 0}}, 100);
            const {{left, top}} = editor.charCoords({{line: {line - 1}, ch: 8}}, 'window');
            return [left + 2, top + 5];
        }})()""")
        self.browser.click_at(*box)


class Links(PageTest):
    def test_a_product_shows_its_instructions(self):
        self.show("code")
        self.click_line("file0", line_with("acc = tl.dot", after=line_with("def matmul(")))
        code, ttgir = self.linked("code"), self.linked("ttgir")
        self.assertTrue(any("wgmma.mma_async" in line for line in code["exact"]), code)
        self.assertTrue(any("ttng.warp_group_dot" in line for line in ttgir["exact"]), ttgir)
        self.assertFalse(any("st.global" in line for line in code["exact"]))
        self.assertIn("wgmma.mma_async", self.run_script("app.details.textContent"))

    def test_an_instruction_shows_its_source(self):
        self.show("code")
        line = self.run_script("""app.model.textOf('code').text.split('\\n')
            .findIndex((line) => line.includes('st.global')) + 1""")
        self.assertGreater(line, 0)
        self.click_line("code", line)
        source = self.linked("file0")
        self.assertEqual(len(source["exact"]), 1)
        self.assertIn("tl.store", source["exact"][0])

    def test_lines_of_all_stages_have_links(self):
        counts = self.run_script("""app.model.texts.filter(({file}) => file === null)
            .map((text) => [text.id, text.places.size, text.lineCount])""")
        self.assertEqual([name for name, _, _ in counts], ["ttir", "ttgir", "llir", "code"])
        for name, linked, lines in counts:
            self.assertGreater(linked, 0.5 * lines, name)

    def test_pointing_shows_links_without_moving(self):
        self.show("code")
        x, y = self.run_script("""(() => {
            const {editor} = app.views.code.panes[0];
            const line = editor.getValue().split('\\n').findIndex((line) => line.includes('a_ptrs = a_ptr'));
            editor.scrollIntoView({line, ch: 0}, 100);
            const {left, top} = editor.charCoords({line, ch: 8}, 'window');
            return [left + 2, top + 5];
        })()""")
        self.browser.move_to(x, y)
        self.assertTrue(self.run_script("document.querySelectorAll('.pointed-exact').length > 0"))
        self.assertEqual(self.run_script("document.querySelectorAll('.linked-exact').length"), 0)

    def test_texts_can_be_shown_and_hidden(self):
        self.show("code")
        shown = lambda: self.run_script("[...document.querySelectorAll('.pane')].map((p) => p.dataset.pane)")
        self.assertEqual(shown(), ["file0", "ttgir", "code"])
        self.browser.click('[data-switch="llir"]')
        self.assertEqual(shown(), ["file0", "ttgir", "llir", "code"])
        self.browser.click('[data-switch="ttgir"]')
        self.assertEqual(shown(), ["file0", "llir", "code"])


class Tabs(PageTest):
    def test_every_tab_shows_something_and_keys_choose_it(self):
        tabs = self.run_script("app.tabs.map(([id]) => id)")
        self.assertGreaterEqual(len(tabs), 7)
        for number, tab in enumerate(tabs):
            self.browser.press(str(number + 1), f"Digit{number + 1}")
            self.browser.wait_for(f"document.getElementById('panel').dataset.view === '{tab}'")
            self.assertGreater(self.run_script("document.getElementById('panel').textContent.length"), 40, tab)
            self.assertEqual(self.run_script(
                f"document.getElementById('tab-{tab}').getAttribute('aria-selected')"), "true")

    def test_passes_show_what_they_changed(self):
        self.show("passes")
        self.browser.wait_for("document.querySelectorAll('[data-pass]').length > 5")
        number = self.run_script("""app.view.passes.findIndex(({flag}) => flag === 'tritongpu-accelerate-matmul')""")
        self.browser.click(f'[data-pass="{number}"]')
        text = self.run_script("app.view.editor.getValue()")
        self.assertIn("ttng.warp_group_dot", text)
        self.assertGreater(self.run_script("document.querySelectorAll('.diff-add').length"), 0)
        self.assertGreater(self.run_script("document.querySelectorAll('.diff-del').length"), 0)

    def test_passes_texts_follow_from_their_differences(self):
        self.assertEqual(self.run_script("""(async () => {
            let text = '';
            const wrong = [];
            for (const pass of await app.model.passes()) {
              if (!pass.hunks) continue;
              const old = text.split('\\n'), now = pass.text.split('\\n');
              // Between hunks, lines are the same but for names.
              const bare = (line) => line.replace(/[%^][\\w$.-]+/g, '%');
              let at = 0, newAt = 0;
              for (const [o, oc, n, nc] of [...pass.hunks, [old.length + 1, 0, now.length + 1, 0]]) {
                for (; at < o - 1 && newAt < n - 1; ++at, ++newAt)
                  if (bare(old[at]) !== bare(now[newAt])) wrong.push([pass.name, at, old[at], now[newAt]]);
                if (at !== o - 1 || newAt !== n - 1) wrong.push([pass.name, 'hunk', o, n, at, newAt]);
                at = o - 1 + oc, newAt = n - 1 + nc;
              }
              text = pass.text;
            }
            return wrong.slice(0, 3);
        })()"""), [])

    def test_layout_names_the_owner_of_an_element(self):
        self.show("layouts")
        index = self.run_script("""app.model.document.layouts.findIndex(({text, shape}) =>
            text.includes('nvidia_mma') && shape[0] === 128 && shape[1] === 256)""")
        self.assertGreaterEqual(index, 0)
        self.browser.click(f'[data-layout="{index}"]')
        # The accumulator of wgmma: element (9, 3) is in register 3 of lane 5 of warp 0 (PTX manual,
        # "Register fragments for wgmma").
        self.assertIn("register 3, lane 5, warp 0", self.run_script(
            "app.view.grid.describe({row: 9, column: 3}).map((line) => line.textContent).join(' ')"))
        box = self.run_script("""(() => {
            const {left, top} = app.view.grid.canvas.getBoundingClientRect();
            const [x, y] = app.view.grid.transform.apply([3.5 * 20, 9.5 * 20]);
            return [left + x, top + y];
        })()""")
        self.browser.move_to(*box)
        self.browser.wait_for("document.querySelector('.tooltip') && !document.querySelector('.tooltip').hidden")
        self.assertIn("element (9, 3)", self.run_script("document.querySelector('.tooltip').textContent"))

    def test_layouts_hold_every_element(self):
        self.assertEqual(self.run_script("""app.model.document.layouts
            .map((fact) => new LayoutTable(fact, app.model.document.machine))
            .filter((table) => table.owners.some((count) => count === 0))
            .map((table) => table.fact.name)"""), [])

    def test_keys_move_in_the_grid(self):
        self.show("layouts")
        self.run_script("app.view.grid.canvas.focus()")
        self.browser.press("ArrowRight")
        self.browser.press("ArrowDown")
        self.assertEqual(self.run_script("app.view.grid.pointed"), {"row": 1, "column": 0})
        self.assertIn("element (1, 0)", self.run_script("app.view.said.textContent"))

    def test_conversions_show_their_steps(self):
        self.show("conversions")
        self.browser.click("#panel tbody tr.clickable")
        self.assertIn("barrier", self.run_script("app.view.body.textContent"))

    def test_memory_shows_the_buffers(self):
        self.show("memory")
        self.assertGreaterEqual(self.run_script("document.querySelectorAll('.picture rect').length"), 3)

    def test_loops_show_their_stages(self):
        self.show("loops")
        self.assertIn("warp_group_dot", self.run_script("document.querySelector('.timeline').textContent"))

    def test_loops_show_units_and_a_roofline(self):
        self.show("loops")
        loop = self.run_script("app.model.document.schedules[0]")
        # A block multiplies 128 x 64 by 64 x 256, of 16 bits.
        self.assertEqual(sum(op["flops"] for op in loop["ops"]), 2 * 128 * 256 * 64)
        self.assertEqual(sum(op["bytes"] for op in loop["ops"]), 2 * (128 + 256) * 64)
        cycles = {unit["name"]: unit["cycles"] for unit in loop["units"]}
        self.assertGreaterEqual(loop["interval"], max(cycles.values()))
        self.assertIn("matrix", self.run_script("document.querySelector('.bars').textContent"))
        self.assertIn("85.3 operations a byte", self.run_script(
            "document.querySelector('.roofline svg').getAttribute('aria-label')"))


class Slow(PageTest):
    options, name = SLOW, "slow"

    def test_summary_names_the_three_faults_with_their_lines(self):
        findings = self.run_script("""[...document.querySelectorAll('.finding.severity-2')]
            .map((each) => [each.querySelector('.tag').textContent,
                            Number(each.querySelector('[data-finding-line]').dataset.findingLine)])""")
        self.assertIn(["uncoalesced", line_with("a = tl.load", "examples/slow.py")], findings)
        self.assertIn(["unpipelined", line_with("for k in", "examples/slow.py")], findings)
        self.assertIn(["bank conflicts (simulated)", line_with("tl.gather", "examples/slow.py")], findings)

    def test_a_finding_leads_to_its_line(self):
        line = line_with("a = tl.load", "examples/slow.py")
        self.browser.click(f'[data-finding-line="{line}"]')
        self.browser.wait_for("document.getElementById('panel').dataset.view === 'code'")
        self.assertIn("a = tl.load", self.linked("file0")["exact"][0])


    def test_simulation_shows_traffic_and_the_time_line(self):
        self.show("simulation")
        row = line_with("tl.gather", "examples/slow.py")
        self.assertIn("256 / 16", self.run_script(f"""[...document.querySelectorAll('#panel tbody tr')]
            .find((row) => row.cells[0].textContent === '{row}').textContent"""))
        rows = self.run_script("app.view.chart.rows")
        self.assertEqual(rows, ["warp 0", "warp 1", "warp 2", "warp 3"])
        # The first event of warp 0 is under the pointer where its row begins.
        box = self.run_script("""(() => {
            app.view.chart.canvas.scrollIntoView();
            const {left, top} = app.view.chart.canvas.getBoundingClientRect();
            return [left + 71, top + 30];
        })()""")
        self.browser.move_to(*box)
        self.browser.wait_for("document.querySelector('.tooltip') && !document.querySelector('.tooltip').hidden")
        self.assertIn("slow.py:", self.run_script("document.querySelector('.tooltip').textContent"))

    def test_the_time_line_can_be_saved_for_perfetto(self):
        self.show("simulation")
        trace = json.loads(self.run_script("toTraceEvents(app.view.chart.events)"))
        self.assertEqual(len(trace["traceEvents"]),
                         self.run_script("app.model.document.trace.events.length"))
        self.assertEqual({event["ph"] for event in trace["traceEvents"]}, {"X"})


class Compare(PageTest):
    options, name = [*SLOW, "--against", "--num-warps 8 --target cuda:80"], "compare"

    def test_figures_and_texts_differ(self):
        self.show("compare")
        text = self.run_script("document.getElementById('panel').textContent")
        self.assertIn("mma.sync", text)
        row = self.run_script("""[...document.querySelectorAll('#panel tbody tr')]
            .find((row) => row.cells[0].textContent === 'warps').textContent""")
        self.assertEqual(row, "warps48+100 %")
        self.assertGreater(self.run_script("document.querySelectorAll('.diff-add').length"), 0)

    def test_differences_make_one_text_of_the_other(self):
        self.assertEqual(self.run_script("""(() => {
            const [old, now] = app.models.map((model) => model.textOf('ttgir').text.split('\\n'));
            const lines = diffLines(old, now);
            const of = (...kinds) => lines.filter(([kind]) => kinds.includes(kind)).map(([, line]) => line);
            return [of('same', 'add').join('\\n') === now.join('\\n'),
                    of('same', 'del').join('\\n') === old.join('\\n'),
                    of('same').length > 3];
        })()"""), [True, True, True])

    def test_the_other_report_can_be_chosen(self):
        self.run_script("""(() => {
            const select = document.querySelector('header select');
            select.value = '1';
            select.dispatchEvent(new Event('change'));
        })()""")
        self.assertEqual(self.run_script("app.model.document.kernel.target"), "cuda:80")
        self.assertIn("cuda:80", self.run_script("document.querySelector('header').textContent"))


class Size(PageTest):
    options, name = LONG, "long"

    def test_a_large_tile_and_2000_lines_open_in_a_second(self):
        self.assertGreater(self.run_script("app.model.textOf('code').lineCount"), 2000)
        self.assertLess(self.milliseconds, 1000)
        took = self.browser.measure(lambda: self.run_script("app.show('code')"))
        self.assertLess(took, 1000)

    def test_nothing_is_asked_of_a_network(self):
        # The icon is data as well.
        self.assertEqual(self.run_script(
            "performance.getEntriesByType('resource').filter((each) => !each.name.startsWith('data:')).length"), 0)


class Dark(PageTest):
    window = {"dark": True}

    def test_colours_follow_the_system_and_the_button(self):
        background = lambda: self.run_script("getComputedStyle(document.body).backgroundColor")
        dark = background()
        self.assertLess(sum(map(int, dark[4:-1].split(","))), 200)
        self.browser.click("header button")  # system to light
        self.assertGreater(sum(map(int, background()[4:-1].split(","))), 600)
        self.browser.click("header button")  # light to dark
        self.assertEqual(background(), dark)


class Narrow(PageTest):
    window = {"width": 420, "height": 800}

    def test_nothing_is_wider_than_the_window(self):
        for tab in self.run_script("app.tabs.map(([id]) => id)"):
            self.show(tab)
            self.assertLessEqual(self.run_script("document.documentElement.scrollWidth"), 420, tab)


def main():
    global arguments
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--screenshots")
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    arguments.tilewright = os.path.abspath(arguments.tilewright)
    if not find_browser():
        print("skipped: there is no Chromium; scripts/install-packages installs it")
        return
    with tempfile.TemporaryDirectory() as folder:
        arguments.folder = folder
        names = [f"__main__.{name}" for name in arguments.tests] or ["__main__"]
        suite = unittest.defaultTestLoader.loadTestsFromNames(names)
        result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
