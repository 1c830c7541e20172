import { expect, test } from "vitest";
import { cleanApiKey } from "./clean-api-key.ts";

test.each([
  "swk_abc",
  "  swk_abc\r\n",
  '"swk_abc"',
  "`swk_abc`",
  "swk_\nabc",
  "Bearer swk_abc",
  "bearer  swk_abc",
  "Authorization: Bearer swk_abc",
  "'Authorization: Bearer swk_abc'",
  "SITEWARD_API_KEY=swk_abc",
  'export SITEWARD_API_KEY="swk_abc"',
])("finds the key in %j", (text) => {
  expect(cleanApiKey(text)).toBe("swk_abc");
});

test.each(["swk_abc+swk_def", "Bearerswk_abc", "key=swk_abc"])("does not guess a key in %j", (text) => {
  expect(cleanApiKey(text)).toBe(text);
});
