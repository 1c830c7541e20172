import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth } from "../output/text-width.ts";
import { type ProgressState, renderProgress } from "./render-progress.ts";

const state: ProgressState = {
  label: "Importing",
  total: 10_000,
  done: 2_500,
  detail: "example.com",
  perSecond: 412,
  frame: 0,
  limit: undefined,
};

const limit = { perMinute: 600, remaining: 0, isWaitedFor: true };

function render(change: Partial<ProgressState>, widthColumns = 200): string {
  return renderProgress({ ...state, ...change }, { widthColumns, color: false });
}

describe("a line of progress", () => {
  test.each([
    [81, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  412/s  19 s left  example.com"],
    [80, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  412/s  19 s left"],
    [62, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  19 s left"],
    [50, "Importing  2,500/10,000  412/s  19 s left"],
    [26, "Importing  2,500/10,000"],
    [10, "Importing"],
    [7, "Impor…"],
  ])("at %i columns leaves out what is worth least", (width, line) => {
    expect(render({}, width)).toBe(line);
  });

  test.each([
    [{ perSecond: 0 }, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  example.com"],
    [{ perSecond: 0.5, detail: "" }, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  0.5/s  4 h 10 min left"],
    [{ perSecond: 100, detail: "" }, "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  100/s  1 min 15 s left"],
    [{ total: 0, done: 0, perSecond: 0, detail: "" }, "Importing  ████████████████████████  0/0"],
    [{ total: undefined, done: 0 }, "⠋ Importing  example.com"],
    [{ total: undefined, done: 1200, frame: 11, detail: "" }, "⠙ Importing  1,200"],
    [
      { limit, perSecond: 10, detail: "" },
      "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  10/s  12 min 30 s left  " +
        "Waiting for the limit of the API key, 600 requests a minute",
    ],
    [
      { limit: { ...limit, isWaitedFor: false } },
      "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500/10,000  412/s  12 min 30 s left  example.com",
    ],
    [
      { total: undefined, done: 12, limit },
      "⠋ Importing  12  Waiting for the limit of the API key, 600 requests a minute  example.com",
    ],
  ])("with %j is %j", (change, line) => {
    expect(render(change)).toBe(line);
  });

  test.each([
    [
      "by its speed, if the limit allows more",
      { perSecond: 100, limit: { ...limit, perMinute: 60_000 } },
      "1 min 15 s",
    ],
    [
      "by the limit, as soon as it is announced",
      { perSecond: 400, limit: { ...limit, remaining: 500 } },
      "11 min 40 s",
    ],
    ["by the limit, before anything is done", { done: 0, perSecond: 0, limit }, "16 min 40 s"],
    [
      "by its speed, if what is left is within the limit",
      { done: 9_900, perSecond: 20, limit: { ...limit, remaining: 100 } },
      "5 s",
    ],
    ["by the requests that a page of 100 takes", { perSecond: 1000, stepsPerRequest: 100, limit }, "8 s"],
  ])("has a time left %s", (_name, change, left) => {
    expect(render(change)).toContain(`  ${left} left`);
  });

  test("is narrower than the terminal and one line, whatever it says and however narrow the terminal is", () => {
    const anyState = fc.record<ProgressState>({
      label: fc.string({ unit: "grapheme" }),
      total: fc.option(fc.nat(), { nil: undefined }),
      done: fc.nat(),
      detail: fc.string({ unit: "grapheme", maxLength: 60 }),
      perSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      frame: fc.nat(),
      limit: fc.option(
        fc.record({ perMinute: fc.integer({ min: 1 }), remaining: fc.nat(), isWaitedFor: fc.boolean() }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(anyState, fc.integer({ min: 1, max: 200 }), (any, widthColumns) => {
        const line = renderProgress(any, { widthColumns, color: false });
        expect(textWidth(line)).toBeLessThan(Math.max(2, widthColumns));
        expect(line).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
