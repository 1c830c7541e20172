import { expect, test } from "vitest";
import { wrapLines } from "./wrap-lines.ts";

test.each([
  ["Error: it is too wide.", 12, ["Error: it is", "too wide."]],
  ["it fits\n  and this too", 12, ["it fits", "  and this", "  too"]],
  ["  email must be on", 12, ["  email must", "  be on"]],
  ["      - a, b, c", 11, ["      - a,", "        b,", "        c"]],
  ["\u001b[32m+ ab cd\u001b[39m", 5, ["\u001b[32m+ ab", "  cd\u001b[39m"]],
  ["Run `siteward login` now", 12, ["Run", "`siteward login`", "now"]],
  ["例え 例え 例え", 9, ["例え 例え", "例え"]],
  ["https://a.example/too/wide is kept", 10, ["https://a.example/too/wide", "is kept"]],
  ["an odd ` is a word", 9, ["an odd `", "is a word"]],
])("wraps %j to %i columns", (text, width, lines) => {
  expect(wrapLines(text, width).split("\n")).toEqual(lines);
});
