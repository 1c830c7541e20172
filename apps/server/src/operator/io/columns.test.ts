import { describe, expect, test } from "vitest";
import { columns } from "./columns.ts";

describe("columns", () => {
  test("are as wide as their widest cell, and no line ends in a space", () => {
    expect(
      columns(
        ["ID", "NAME"],
        [
          ["1", "a longer name"],
          ["1000", "b"],
        ],
      ),
    ).toEqual(["ID    NAME", "1     a longer name", "1000  b"]);
  });

  test("without a row are the headings alone", () => {
    expect(columns(["ID", "NAME"], [])).toEqual(["ID  NAME"]);
  });
});
