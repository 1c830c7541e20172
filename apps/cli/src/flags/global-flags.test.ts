import { expect, test } from "vitest";
import { wantsJson } from "./global-flags.ts";

const script = { stdout: {}, stderr: {} };
const terminal = { stdout: { isTTY: true }, stderr: { isTTY: true } };
const pipeAtTerminal = { stdout: {}, stderr: { isTTY: true } };
const logOfTerminal = { stdout: { isTTY: true }, stderr: {} };

test.each([
  [[], script, true],
  [[], terminal, false],
  [[], pipeAtTerminal, false],
  [[], logOfTerminal, false],
  [["-o", "csv"], script, false],
  [["-ojson"], terminal, true],
  [["--json"], pipeAtTerminal, true],
  [["-o", "csv", "--json"], terminal, true],
  [["--json", "-o", "csv"], script, false],
  [["--output", "ndjson"], logOfTerminal, true],
  [["--output=table"], script, false],
  [["--output=table", "-o", "json"], terminal, true],
  [["--output"], terminal, false],
  [["--output", "xml"], script, true],
  [["--output", "constructor"], terminal, false],
])("arguments %j, streams %j: errors are JSON: %j", (argv, streams, expected) => {
  expect(wantsJson(argv, streams)).toBe(expected);
});
