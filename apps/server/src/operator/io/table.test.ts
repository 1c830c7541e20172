import { describe, expect, test } from "vitest";
import { renderTable } from "./table.ts";

describe("renderTable", () => {
  test("makes each column as wide as its widest cell, and ends no line with a space", () => {
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

  test("prints only the headings if there are no rows", () => {
    expect(renderTable(["ID", "NAME"], [])).toEqual(["ID  NAME"]);
  });
});
