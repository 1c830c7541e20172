import { execFileSync } from "node:child_process";
import { defaultOrder, listWebsitesQuery } from "@siteward/contract";
import { expect, test } from "vitest";
import { cliBin } from "./support/built-server.ts";

test("the help of `siteward websites list` names the default of the contract for each flag", () => {
  const help = execFileSync(process.execPath, [cliBin, "websites", "list", "--help"], { encoding: "utf8" });
  const named = [...help.replace(/\s+/g, " ").matchAll(/--([a-z-]+) <\w+> (?:(?!--)[^(])*\(default: (\w+)\)/g)];
  // No flag sets search_by, which has only one value, and entity_tags, which are for programs.
  const { search_by: _, entity_tags: __, ...defaults } = { ...defaultOrder, ...listWebsitesQuery.parse({}) };
  const expected = Object.entries(defaults).map(([field, value]) => [field.replaceAll("_", "-"), String(value)]);
  // The flags of all commands have defaults of their own.
  expect(Object.fromEntries(named.map(([, flag, value]) => [flag, value]))).toMatchObject(Object.fromEntries(expected));
});
