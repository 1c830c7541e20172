import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Website } from "@siteward/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { websiteView } from "../websites/website-view.ts";
import { table } from "./table.ts";
import type { Layout } from "./view.ts";
import { textWidth } from "./width.ts";

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
  const pieces = await Array.fromAsync(table.list(Readable.from(records), { ...plain, ...layout }));
  return pieces.join("");
}

const cut = (domain: string) => `${"a".repeat(40)}.${domain}`;

describe("a table that is too wide", () => {
  test.each([
    [
      80,
      "ID  Domain            Privacy   E-mail  Bots excluded  Created\n" +
        "7   shop.example.com  password  off     on             2026-11-20T10:15:00.000Z\n",
    ],
    [78, "ID  Domain            Privacy   E-mail  Bots excluded\n7   shop.example.com  password  off     on\n"],
    [50, "ID  Domain            Privacy   E-mail\n7   shop.example.com  password  off\n"],
  ])("at %s columns leaves columns out from the right", async (widthColumns, text) => {
    expect(await list([{}], { widthColumns })).toBe(text);
  });

  test("shows domains in full as long as they fit next to their IDs, and cuts them then", async () => {
    const domain = cut("example");
    expect(await list([{ domain }], { widthColumns: 52 })).toBe(`ID  Domain\n7   ${domain}\n`);
    expect(await list([{ domain }], { widthColumns: 50 })).toBe(`ID  Domain\n7   ${cut("exam")}…\n`);
  });

  test("becomes one line per field below 50 columns, and if the fields were requested", async () => {
    const fields = ["id", "domain", "exclude_ips"];
    const card = (id: number) =>
      `ID            ${id}\nDomain        shop.example.com\nIPs excluded  203.0.113.0/24, 2001:db8::/32\n`;
    expect(await list([{}, { id: 8 }], { fields, widthColumns: 50 })).toBe(`${card(7)}\n${card(8)}`);
    expect(await list([{}], { widthColumns: 49 })).toMatch(/^ID {13}7\nDomain {9}shop\.example\.com\n/);
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
      created_at: fc.constantFrom("2026-11-20T10:15:00.000Z", "later"),
    });
    const layouts = fc.record({
      widthColumns: fc.integer({ min: 50, max: 200 }),
      color: fc.boolean(),
      ascii: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 4 }), layouts, async (records, layout) => {
        const pieces = await Array.fromAsync(table.list(Readable.from(records), { ...plain, ...layout }));
        const lines = pieces.join("").split("\n");
        const widths = lines.map((line) => textWidth(stripVTControlCharacters(line)));
        expect(Math.max(...widths)).toBeLessThanOrEqual(layout.widthColumns);
      }),
      { numRuns: 1000 },
    );
  });
});
