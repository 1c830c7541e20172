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
};

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
  ])("with %j is %j", (change, line) => {
    expect(render(change)).toBe(line);
  });

  test("is narrower than the terminal and one line, whatever it says and however narrow the terminal is", () => {
    const anyState = fc.record<ProgressState>({
      label: fc.string({ unit: "grapheme" }),
      total: fc.option(fc.nat(), { nil: undefined }),
      done: fc.nat(),
      detail: fc.string({ unit: "grapheme", maxLength: 60 }),
      perSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      frame: fc.nat(),
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
