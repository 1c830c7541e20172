import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";

const website = {
  ...({ id: 7, domain: "example.com", privacy: 1, has_password: false, email: 0, exclude_bots: 1 } as const),
  ...{
    exclude_params: [] as string[],
    exclude_ips: [],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  },
};

test.for([
  ["utm_*", "utm_*"],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-utm", "'-utm"],
  ["@c", "'@c"],
  // An apostrophe in front of one is kept apart from ours, which the import removes.
  ["'=1", "''=1"],
  ["'x", "'x"],
  ['a"b', '"a""b"'],
])("a spreadsheet does not run %s as a formula", ([entry = "", cell]) => {
  const [, row] = toCsv([{ ...website, exclude_params: [entry] }]).split("\r\n");
  expect(row).toBe(`7,example.com,1,false,0,1,${cell},,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z`);
});
