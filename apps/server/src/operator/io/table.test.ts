import { describe, expect, test } from "vitest";
import { renderTable } from "./table.ts";

describe("renderTable", () => {
  test("are as wide as their widest cell, and no line ends in a space", () => {
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

  test("without a row are the headings alone", () => {
    expect(renderTable(["ID", "NAME"], [])).toEqual(["ID  NAME"]);
  });
});
