import { expect, test } from "vitest";
import { wantsJson } from "./global-flags.ts";

test.each([
  [[], false, true],
  [[], true, false],
  [["-o", "csv"], false, false],
  [["-ojson"], true, true],
  [["--output", "ndjson"], true, true],
  [["--output=table"], false, false],
  [["--output=table", "-o", "json"], true, true],
  [["--output"], true, false],
  [["--output", "xml"], false, true],
  [["--output", "constructor"], true, false],
])("arguments %j, on a terminal: %j: errors are JSON: %j", (argv, isTerminal, expected) => {
  expect(wantsJson(argv, isTerminal)).toBe(expected);
});
