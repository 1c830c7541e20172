import { describe, expect, it } from "vitest";
import { showProgress } from "./show-progress.ts";

describe("the progress of a command", () => {
  it("is a line every five seconds if there is no terminal", () => {
    const { lines, show } = start({ hasBar: false });
    for (const second of [1, 4, 5, 6, 9, 10, 11]) show(second * 1_000, second * 1_000);
    expect(lines).toEqual(["copying websites: 5,000 of 20,000", "copying websites: 10,000 of 20,000"]);
  });

  it("is a bar on a terminal, drawn ten times a second in fewer than 80 columns", () => {
    const { lines, show } = start({ hasBar: true });
    for (const [timeMs = 0, done = 0] of [
      [0, 0],
      [50, 4_999],
      [100, 5_000],
      [199, 9_000],
      [200, 20_000],
    ])
      show(timeMs, done);
    expect(lines).toEqual([
      `${"░".repeat(24)}   0 %  copying websites: 0 of 20,000`,
      `${"█".repeat(6)}${"░".repeat(18)}  25 %  copying websites: 5,000 of 20,000`,
      `${"█".repeat(24)} 100 %  copying websites: 20,000 of 20,000`,
    ]);
    const { lines: longest, show: showLongest } = start({ hasBar: true, total: 100_000_000 });
    showLongest(0, 100_000_000);
    expect(longest[0]?.length).toBeLessThan(80);
  });
});

function start({ hasBar, total = 20_000 }: { hasBar: boolean; total?: number }) {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const unused = () => undefined;
  const context = hasBar ? { note: unused, redraw: note } : { note };
  let nowMs = 0;
  const showNow = showProgress(context, () => nowMs);
  const show = (timeMs: number, done: number) => {
    nowMs = timeMs;
    showNow({ step: "copying", table: "websites", done, total });
  };
  return { lines, show };
}
