"""Prints the lines of a stage that come from the line of the source with some words.

usage: links.py REPORT.json WORDS STAGE FILTER    only lines of the stage with FILTER in them, if any
                                                  have it; otherwise all
"""

import json
import sys


def main(path, words, stage_id, wanted):
    with open(path, encoding="utf-8") as stream:
        report = json.load(stream)
    source = report["files"][0]["text"].split("\n")
    line = next(i for i, text in enumerate(source, 1) if words in text)
    places = {i for i, place in enumerate(report["places"]) if place[:2] == [0, line]}
    stage = next(each for each in report["stages"] if each["id"] == stage_id)
    lines = stage["text"].split("\n")
    linked = [lines[number - 1] for number, *of in stage["links"] if places & set(of)]
    print("\n".join([text for text in linked if wanted in text] or linked))


main(*sys.argv[1:])
