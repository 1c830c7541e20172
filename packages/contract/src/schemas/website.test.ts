import { expect, test } from "vitest";
import { createWebsiteBody } from "./website.ts";

/** What a caller of the API notices of a create and an update, the guarantees say (packages/e2e/test/guarantees). */
const choice = "send 0 (Public), 1 (Private) or 2 (Password)";
test.each([
  ["3", `is 3; ${choice}`],
  ["-1", `is "-1"; ${choice}`],
  [0.5, `is 0.5; ${choice}`],
  ["01", `is "01"; ${choice}`],
  [" 1", `is " 1"; ${choice}`],
  ["1.0", `is "1.0"; ${choice}`],
  ["", `is empty; ${choice}`],
  [true, `is true; ${choice}`],
  ["x".repeat(99), `is "${"x".repeat(60)}…"; ${choice}`],
])("of a field with a few whole numbers, %j is refused", (privacy, message) => {
  expect(issuesOf({ privacy })).toEqual([["privacy", message]]);
});

const list = "send an array of strings, or a string with entries separated by commas or line breaks";
test.each([
  [7, `is 7; ${list}`],
  [null, `is null; ${list}`],
  [{ 0: "a" }, `is an object; ${list}`],
  [[...Array<string>(500).fill("a"), 7], `contains an entry that is not a string; ${list}`],
  [[["a"]], `contains an entry that is not a string; ${list}`],
  // In one issue. Those of zod, one for each, took 90 ms.
  [Array<number>(30_000).fill(1), `contains an entry that is not a string; ${list}`],
])("of a list, %j is refused", (exclude_ips, message) => {
  expect(issuesOf({ exclude_ips })).toEqual([["exclude_ips", message]]);
});

/** Returns the field and the message of each issue of a create. */
function issuesOf(fields: object) {
  const { error } = createWebsiteBody.safeParse({ domain: "example.com", ...fields });
  return error?.issues.map(({ path, message }) => [path[0], message]);
}
