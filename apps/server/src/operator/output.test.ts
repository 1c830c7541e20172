import { describe, expect, it, test } from "vitest";
import { renderTable, showProgress } from "./output.ts";

test("the progress of a command is a line every five seconds", () => {
  const lines: string[] = [];
  let nowMs = 0;
  const show = showProgress({ note: (line) => void lines.push(line) }, () => nowMs);
  for (const second of [1, 4, 5, 6, 9, 10, 11]) {
    nowMs = second * 1_000;
    show({ step: "copying", table: "websites", done: second * 1_000, total: 20_000 });
  }
  expect(lines).toEqual(["copying websites: 5,000 of 20,000", "copying websites: 10,000 of 20,000"]);
});

describe("renderTable", () => {
  it("makes each column as wide as its widest cell, and ends no line with a space", () => {
    expect(
      renderTable(
        ["ID", "NAME"],
        [
          ["1", "a longer name"],
          ["1000", "b"],
        ],
      ),
    ).toEqual(["ID    NAME", "1     a longer name", "1000  b"]);
  });

  it("prints only the headings if there are no rows", () => {
    expect(renderTable(["ID", "NAME"], [])).toEqual(["ID  NAME"]);
  });
});
