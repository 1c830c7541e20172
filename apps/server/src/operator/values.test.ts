import { describe, expect, test } from "vitest";
import { UsageError } from "./command.ts";
import { readExpiry } from "./values.ts";

const nowMs = Date.parse("2026-11-21T12:00:00.000Z");

describe("--expires", () => {
  test.for([
    ["30m", "2026-11-21T12:30:00.000Z"],
    ["90d", "2027-02-19T12:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2027-01-31T08:30:00.250+02:00", "2027-01-31T06:30:00.250Z"],
  ])("%s means %s", ([text = "", expected]) => {
    expect(readExpiry(text, nowMs)?.toISOString()).toBe(expected);
  });

  test.for(["soon", "0d", "1.5d", "2027-02-30", "2027-01-31T08:30:00", "2026-11-21"])(
    "%j is refused, and the error names the option",
    (text) => {
      expect(() => readExpiry(text, nowMs)).toThrow(UsageError);
      expect(() => readExpiry(text, nowMs)).toThrow(`--expires is ${JSON.stringify(text)}`);
    },
  );
});
