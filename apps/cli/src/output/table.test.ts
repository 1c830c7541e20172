import { stripVTControlCharacters } from "node:util";
import type { Website } from "@siteward/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { websiteView } from "../settings/website-view.ts";
import type { Layout } from "./renderer.ts";
import { table } from "./table.ts";
import { textWidth } from "./text-width.ts";

const website: Website = {
  id: 7,
  domain: "shop.example.com",
  privacy: 2,
  has_password: true,
  email: 0,
  exclude_bots: 1,
  exclude_params: ["utm_*", "ref"],
  exclude_ips: ["203.0.113.0/24", "2001:db8::/32"],
  created_at: "2026-11-20T10:15:00.000Z",
  updated_at: "2026-11-20T10:15:00.000Z",
};
const plain: Layout = { view: websiteView, fields: undefined, widthColumns: undefined, color: false, ascii: false };

async function list(websites: readonly Partial<Website>[], layout: Partial<Layout> = {}): Promise<string> {
  const records = websites.map((changes) => ({ ...website, ...changes }));
  const pieces = await Array.fromAsync(table.list(fromArray(records), { ...plain, ...layout }));
  return pieces.join("");
}

async function* fromArray(records: readonly object[]): AsyncGenerator<object> {
  yield* records;
}

describe("a table that is too wide", () => {
  test.each([
    [
      78,
      "ID  Domain            Privacy   E-mail  Bots excluded  Created (UTC)\n" +
        "7   shop.example.com  password  off     on             2026-11-20 10:15\n",
    ],
    [
      70,
      "ID  Domain            Privacy   E-mail  Created (UTC)\n" +
        "7   shop.example.com  password  off     2026-11-20 10:15\n",
    ],
    [52, "ID  Domain            Privacy   Created (UTC)\n7   shop.example.com  password  2026-11-20 10:15\n"],
  ])("at %s columns shows times to the minute, then leaves out flags", async (widthColumns, text) => {
    expect(await list([{}], { widthColumns })).toBe(text);
  });

  test("shows domains in full as long as they fit next to their IDs", async () => {
    const domain = `${"a".repeat(40)}.example`;
    expect(await list([{ domain }], { widthColumns: 62 })).toBe(
      `ID  Domain${" ".repeat(44)}Privacy\n7   ${domain}  password\n`,
    );
    expect(await list([{ domain }], { widthColumns: 52 })).toBe(`ID  Domain\n7   ${domain}\n`);
    expect(await list([{ domain }], { widthColumns: 50 })).toBe(`ID  Domain\n7   ${"a".repeat(40)}.exam…\n`);
  });

  test("keeps the other columns if a domain is too long for any terminal", async () => {
    const domain = `${`${"a".repeat(60)}.`.repeat(3)}example`;
    const text = await list([{ domain }, {}], { widthColumns: 80 });
    expect(text).toMatch(/^ID {2}Domain +Privacy {3}E-mail {2}Created \(UTC\)\n7 {3}a{39}… {2}password/);
  });

  test("cuts the columns that were requested, the domain last, and leaves none out", async () => {
    const fields = ["domain", "exclude_ips", "exclude_params"];
    expect(await list([{}], { fields, widthColumns: 50 })).toBe(
      "Domain            IPs excluded            Paramet…\nshop.example.com  203.0.113.0/24, 2001:…  utm_*, …\n",
    );
  });

  test("becomes one line per field below 50 columns, with the values of a list wrapped", async () => {
    const fields = ["id", "domain", "exclude_ips"];
    expect(await list([{}, { id: 8 }], { fields, widthColumns: 38 })).toBe(
      [
        ...[
          "ID            7",
          "Domain        shop.example.com",
          "IPs excluded  203.0.113.0/24,",
          "              2001:db8::/32",
        ],
        "",
        ...[
          "ID            8",
          "Domain        shop.example.com",
          "IPs excluded  203.0.113.0/24,",
          "              2001:db8::/32",
          "",
        ],
      ].join("\n"),
    );
  });

  test("stays a table below 50 columns if it fits in full", async () => {
    expect(await list([{}], { fields: ["id", "domain"], widthColumns: 20 })).toBe("ID  Domain\n7   shop.example.com\n");
  });

  test("is never wider than the terminal, whatever it contains and however wide the terminal is", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("例え.テスト", "❤️👩‍👩‍👧", "e\u0301\u1112\u1161\u11ab"),
    );
    const record = fc.record({
      id: fc.nat(),
      domain: fc.oneof(fc.domain(), text),
      privacy: fc.constantFrom(0, 1, 2),
      exclude_params: fc.array(text, { maxLength: 5 }),
      exclude_ips: fc.array(fc.oneof(fc.ipV6(), fc.ipV4()), { maxLength: 20 }),
      created_at: fc.constantFrom("2026-11-20T10:15:00.000Z", "later"),
    });
    const layouts = fc.record({
      widthColumns: fc.integer({ min: 20, max: 200 }),
      fields: fc.option(fc.subarray(Object.keys(websiteView), { minLength: 1 }), { nil: undefined }),
      color: fc.boolean(),
      ascii: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 4 }), layouts, async (records, layout) => {
        const complete = { ...plain, ...layout };
        const pieces = await Array.fromAsync(table.list(fromArray(records), complete));
        for (const record of records) pieces.push(table.one(record, complete));
        const widths = pieces
          .join("")
          .split("\n")
          .map((line) => textWidth(stripVTControlCharacters(line)));
        expect(Math.max(...widths)).toBeLessThanOrEqual(layout.widthColumns);
      }),
      { numRuns: 1000 },
    );
  });
});
