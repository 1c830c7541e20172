import { expect, test } from "vitest";
import { renderTable } from "./output.ts";

test("a table has a column as wide as its longest cell, also of 200,000 rows", () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [`${index}`, "a"]);
  const lines = renderTable(["ID", "NAME"], rows);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(["ID      NAME", "0       a", "199999  a"]);
});
