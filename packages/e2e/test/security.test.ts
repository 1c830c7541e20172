import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const text = readFileSync(join(root, "SECURITY.md"), "utf8");
const risks = text.split("\n").filter((line) => line.startsWith("| **API"));
const rows = new Set(readdirSync(join(root, "packages/torture/src/rows")).map((file) => file.replace(/\.ts$/, "")));

describe("SECURITY.md", () => {
  test("names each of the ten risks once, in order", () => {
    const numbers = risks.map((line) => /^\| \*\*API(\d+)\*\*/.exec(line)?.[1]);
    expect(numbers).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  });

  test.for(risks.map((line) => [/API\d+/.exec(line)?.[0], line] as const))(
    "names tests of %s that exist, by file and name",
    ([, line]) => {
      const tests = line.split("|").at(-2) ?? "";
      const files = [...tests.matchAll(/`([^`]+\.ts)`((?:,? "[^"]+")*)/g)];
      const named = [...tests.matchAll(/[Rr]ows? ((?:`[a-z-]+`(?:, | and )?)+)/g)].flatMap(([, list = ""]) =>
        [...list.matchAll(/`([a-z-]+)`/g)].map(([, row = ""]) => row),
      );
      expect(files.length + named.length).toBeGreaterThan(0);
      expect(named.filter((row) => !rows.has(row))).toEqual([]);
      for (const [, file = "", names = ""] of files) {
        expect([file, existsSync(join(root, file))]).toEqual([file, true]);
        const source = readFileSync(join(root, file), "utf8");
        const missing = [...names.matchAll(/"([^"]+)"/g)].filter(([, name = ""]) => !source.includes(name));
        expect(missing).toEqual([]);
      }
    },
  );
});
