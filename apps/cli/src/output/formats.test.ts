import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { formats, type OutputFormat } from "./formats.ts";
import type { Layout, Renderer, View } from "./view.ts";

const view: View = {
  id: { title: "ID", inList: true },
  "owner.name": { title: "Owner", inList: true },
  tags: { title: "Tags", inList: false },
};
const record = { id: 7, owner: { name: "Ada" }, tags: ["a", "b"], newer: true };

async function render(format: OutputFormat, records: readonly object[], layout: Partial<Layout> = {}): Promise<string> {
  const renderer = await formats[format]();
  const complete = { view, fields: undefined, widthColumns: undefined, color: false, ascii: false, ...layout };
  let text = "";
  for await (const piece of renderer.list(Readable.from(records), complete)) text += piece;
  return text;
}

async function renderOne(format: "json" | "yaml" | "table", layout: Partial<Layout> = {}): Promise<string> {
  const { one }: Renderer = await formats[format]();
  const complete = { view, fields: undefined, widthColumns: undefined, color: false, ascii: false, ...layout };
  return one?.(record, complete) ?? "";
}

describe("csv", () => {
  test("has the fields of the view as columns, lists comma-separated, null as an empty cell", async () => {
    const text = await render("csv", [record, { id: 8, owner: { name: null }, tags: [] }]);
    expect(text).toBe('id,owner.name,tags\r\n7,Ada,"a,b"\r\n8,,\r\n');
  });

  test.each([
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\rx", `"'\rx"`],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ["a=b", "a=b"],
  ])("%j is written as %j", async (value, cell) => {
    expect(await render("csv", [{ id: value }], { fields: ["id"] })).toBe(`id\r\n${cell}\r\n`);
  });
});

describe("table", () => {
  test("aligns columns with wide characters", async () => {
    const text = await render("table", [{ id: "例", tags: ["x"] }], { fields: ["id", "tags"] });
    expect(text).toBe("ID  Tags\n例  x\n");
  });

  test("shows one record as one line per field, and an empty field as a dash", async () => {
    expect(await renderOne("table", { fields: ["tags", "owner.name"] })).toBe("Tags   a,b\nOwner  Ada\n");
    expect(await render("table", [{ id: 1 }])).toBe("ID  Owner\n1   -\n");
  });

  test("shows a dash for a missing field, without calling the column's own formatter", async () => {
    const never: View = { id: { title: "ID", inList: true, show: (value) => String(value ?? "never") } };
    expect(await render("table", [{}, { id: null }], { view: never })).toBe("ID\n-\nnever\n");
  });
});

describe("yaml", () => {
  test("keeps the record, and writes no control character", async () => {
    const records = [{ id: "\u001b[31m\u009b2J\u007f", tags: ["utm_*", "no", "\\\u009b"], newer: true }];
    const text = await render("yaml", records);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect((await import("js-yaml")).load(text)).toEqual(records);
  });
});

test("a field that is named twice, or also by its group, is selected once", async () => {
  const { parseFields } = await import("./fields.ts");
  expect(parseFields("owner, id,owner.name", view)).toEqual(["owner.name", "id"]);
});
