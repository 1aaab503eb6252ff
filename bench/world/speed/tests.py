#!/usr/bin/env python3
"""Tests of what needs neither a GPU nor Triton, but PyTorch."""

import struct
import unittest

import contents
import memory
import report
import torch
import triton_code


class Contents(unittest.TestCase):
    def test_shared_memory_is_described_once(self):
        whole = torch.randn(64, 4)
        found = contents.Contents()
        self.assertEqual([found.number(whole), found.number(whole[3]),
                          found.number(torch.zeros(8))], [0, 0, 1])
        self.assertEqual(found.bytes(), 64 * 4 * 4 + 8 * 4)

    def test_integers_are_kept(self):
        found = contents.Contents()
        found.number(torch.tensor([3, -1, 2**40]))
        described, arrays = found.describe()
        self.assertEqual(described[0]["fill"], "kept")
        self.assertEqual(torch.from_numpy(arrays["0"]).view(torch.int64).tolist(), [3, -1, 2**40])

    def test_floats_are_described_by_a_sample(self):
        found = contents.floats(torch.full((10000,), 2.5))
        self.assertEqual((found["mean"], found["deviation"]), (2.5, 0.0))
        found = contents.floats(torch.rand(100000) * 2 - 1)
        self.assertAlmostEqual(found["deviation"], 3**-0.5, delta=0.05)
        self.assertGreater(found["largest"], 0.9)

    def test_unwritten_memory_is_not_believed(self):
        for odd in (torch.zeros(100), torch.full((100,), float("nan")), torch.full((100,), 1e30)):
            self.assertEqual(contents.floats(odd)["deviation"], 0.5)

    def test_addresses_are_found(self):
        target = torch.randn(100)
        pointers = torch.tensor([0, target.data_ptr(), target[25:].data_ptr()])
        part = target[25:]
        found = contents.Contents()
        found.number(pointers)
        self.assertEqual(found.addresses, [[0, 1, 1, 0], [0, 2, 1, 100]])
        del part


class Compare(unittest.TestCase):
    def test_difference(self):
        before, theirs = torch.zeros(1000), torch.randn(1000)
        self.assertEqual(memory.difference(theirs.clone(), theirs, before), 0.0)
        self.assertLess(memory.difference(theirs * (1 + 1e-5), theirs, before), 1)
        wrong = theirs.clone()
        wrong[:500] = 0
        self.assertGreater(memory.difference(wrong, theirs, before), 100)

    def test_what_nobody_wrote_does_not_hide_a_difference(self):
        before = torch.full((100000,), 1e3)
        theirs = before.clone()
        theirs[:10] = 1.0
        ours = theirs.clone()
        ours[:10] = 1.5
        self.assertGreater(memory.difference(ours, theirs, before), 100)

    def test_a_write_that_is_missing_or_too_many(self):
        before, theirs = torch.zeros(100), torch.zeros(100)
        ours = theirs.clone()
        ours[50] = 1.0
        self.assertEqual(memory.difference(ours, theirs, before), float("inf"))

    def test_numbers_where_there_are_none(self):
        before, theirs = torch.zeros(10), torch.ones(10)
        theirs[3] = float("nan")
        self.assertEqual(memory.difference(torch.ones(10), theirs, before), float("inf"))
        ours = theirs.clone()
        self.assertEqual(memory.difference(ours, theirs, before), 0.0)

    def test_integers_are_the_same(self):
        theirs = torch.arange(1000)
        ours = theirs.clone()
        ours[:100] += 1
        self.assertGreater(memory.difference(ours, theirs, theirs), 1)


class Parameters(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(triton_code.number_bytes("i32", -2), struct.pack("<i", -2))
        self.assertEqual(triton_code.number_bytes("fp64", 0.5), struct.pack("<d", 0.5))
        self.assertEqual(triton_code.number_bytes("bf16", 1.5), b"\xc0\x3f")

    def test_descriptor_without_a_tensor_map(self):
        code = triton_code.TritonCode.__new__(triton_code.TritonCode)
        value = {"storage": 1, "offset": 8, "shape": [3, 4], "strides": [4, 1], "nan": False}
        found = code.parameters([{"type": "tensordesc<fp16[2, 4]>", "value": value}], [],
                                lambda storage, offset: 1000 * storage + offset)
        self.assertEqual(found, [struct.pack("<Q", 1008), *[struct.pack("<q", one) for one in
                                                            (3, 4, 4, 1)], b"\0",
                                 *[struct.pack("<i", one) for one in (3, 4)],
                                 *[struct.pack("<q", one) for one in (4, 1)]])


class Report(unittest.TestCase):
    def test_distribution(self):
        found = report.distribution([1.0, 2.0, 0.5, 0.95])
        self.assertAlmostEqual(found["geomean"], 0.95**0.25)
        self.assertEqual((found[">= 0.9"], found[">= 1.0"]), (0.75, 0.5))

    def test_same(self):
        self.assertTrue(report.same({"differs": [0.5, 1.0]}))
        self.assertFalse(report.same({"differs": [0.5, 3.0]}))
        self.assertTrue(report.same({"differs": [0.5, 3.0], "triton_differs": 2.0}))


if __name__ == "__main__":
    unittest.main()
