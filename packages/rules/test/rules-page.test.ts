import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CountedHosts, compileRules } from "../src/index.ts";
import { settings, visitor } from "./support/settings.ts";

const page = readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8");

const [, ...columns] = headOf("| `domain` |").slice(1);

test.each(rowsOf("| `domain` |"))(
  "docs/rules.md says what happens a website %s, and a page on %s",
  (domain = "", host = "", ...outcomes) => {
    for (const [index, hosts] of columns.entries()) {
      // A column is named after the option.
      const rules = compileRules({ ...settings, domain }, { hosts: hosts as CountedHosts });
      const verdict = rules.judge({ ...visitor, url: `https://${host}/` });
      expect(verdict.counted ? "counted" : verdict.reason, hosts).toBe(outcomes[index]);
    }
  },
);

test.each(rowsOf("| URL |"))("docs/rules.md says what happens the URL %s is counted as %s", (url = "", counted) => {
  const [, names = ""] = /^With the entries (.*):$/m.exec(page) ?? [];
  const entries = [...names.matchAll(/`([^`]+)`/g)].map(([, entry = ""]) => entry);
  expect(entries.length).toBeGreaterThan(2);
  const rules = compileRules({ ...settings, exclude_params: entries });
  expect(rules.judge({ ...visitor, url })).toEqual({ counted: true, url: counted });
});

test.each(rowsOf("| Entry |"))("docs/rules.md says what happens the entry %s contains addresses", (...cells) => {
  /** Those inside, and those outside. */
  const addresses: Readonly<Record<string, string>> = {
    "203.0.113.7": "203.0.113.7 ::ffff:203.0.113.7 ::ffff:cb00:7107 | 203.0.113.6 ::203.0.113.7",
    "203.0.113.0/24": "203.0.113.0 203.0.113.255 | 203.0.112.255 203.0.114.0",
    "203.0.113.*": "203.0.113.0 203.0.113.255 | 203.0.112.255 203.0.114.0",
    "2001:db8::/32": "2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff | 2001:db7:ffff:: 2001:db9::",
    "0.0.0.0/0": "0.0.0.0 255.255.255.255 ::ffff:1.2.3.4 | :: 64:ff9b::203.0.113.7",
    "::/0": ":: 64:ff9b::1.2.3.4 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | 1.2.3.4 ::ffff:1.2.3.4",
  };
  for (const entry of (cells[0] ?? "").split(", ")) {
    const rules = compileRules({ ...settings, exclude_ips: [entry] });
    const isExcluded = (ip: string) => !rules.judge({ ...visitor, ip }).counted;
    const [inside = [], outside = []] = (addresses[entry] ?? "").split(" | ").map((list) => list.split(" "));
    expect(outside.length).toBeGreaterThan(0);
    expect(inside.filter((ip) => !isExcluded(ip))).toEqual([]);
    expect(outside.filter(isExcluded)).toEqual([]);
  }
});

function headOf(head: string): string[] {
  return cellsOf(page.split("\n").find((line) => line.startsWith(head)) ?? "");
}

/** Returns the cells of each row of a table, by the beginning of its head. Backticks are removed. */
function rowsOf(head: string): string[][] {
  const lines =
    page
      .slice(page.indexOf(`\n${head}`) + 1)
      .split("\n\n", 1)[0]
      ?.split("\n") ?? [];
  return lines.slice(2).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .replaceAll("`", "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
