import { expect, test } from "vitest";
import { readRetryAfterMs } from "./response-headers.ts";

const nowMs = Date.UTC(1994, 10, 6, 8, 49, 0);

test.each([
  ["0", 0],
  ["120", 120_000],
  ["9".repeat(400), Number.POSITIVE_INFINITY],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
  ["Sun, 06 Nov 1994 08:48:00 GMT", 0],
])("readRetryAfterMs reads %j", (header, ms) => {
  expect(readRetryAfterMs(header, nowMs)).toBe(ms);
});

test.each([null, "", "-1", "1.5", "1e3", "1994-11-06", "soon", "Sun, 99 Nov 1994 08:49:37 GMT"])(
  "readRetryAfterMs ignores %j",
  (header) => {
    expect(readRetryAfterMs(header, nowMs)).toBeUndefined();
  },
);
