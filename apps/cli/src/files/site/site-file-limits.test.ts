import { expect, test } from "vitest";
import { numbered } from "../../../test/support/numbered.ts";
import { problemsOf } from "../../../test/support/problems-of.ts";
import { readSiteFile } from "./read-site-file.ts";

const tooMany = "1: has too many values for one file; split it into several files";

test.each([
  ["items", "- a\n"],
  ["lists", "["],
  ["keys in quotes", '"a":b '],
  ["anchors", "&a "],
  ["escapes", '"\\n'],
  ["documents", "a\n..."],
])("a file with too many %s is refused before it is parsed", async (_what, part) => {
  expect(await problemsOf(`\n${part}`.repeat(1_100_001))).toEqual([tooMany]);
});

test("a file with more than 100,000 websites is refused", async () => {
  const text = `version: 1\nwebsites:\n${numbered(100_001, (at) => `- a${at}.example\n`)}`;
  expect(await problemsOf(text)).toEqual(["100003: is past the limit of 100,000 websites; split the file"]);
});

test("aliases repeat a list without its memory, and not without a bound", async () => {
  const office = `version: 1\nx-office: &office [${numbered(499, (at) => `10.0.${at >> 8}.${at & 255}, `)}]\n`;
  const items = (count: number) => numbered(count, (at) => `- {domain: a${at}.example, exclude_ips: *office}\n`);
  const { entries, problems } = await readSiteFile(`${office}websites:\n${items(3_000)}`);
  expect(problems).toEqual([]);
  expect(new Set(entries.map(({ settings }) => settings.exclude_ips))).toHaveProperty("size", 1);
  const merged = `x-all: &all {${numbered(500, (at) => `k${at}: 1, `)}}\nwebsites:\n${"- <<: *all\n".repeat(2_001)}`;
  expect(await problemsOf(merged)).toEqual([expect.stringMatching(/^19\d\d: is not valid YAML: merge keys exceeded/)]);
  expect(await problemsOf(`x-a: &a b\nx-b: [${"*a, ".repeat(200_001)}]`)).toEqual([
    expect.stringMatching(/^2: is not valid YAML: aliases exceeded/),
  ]);
});
