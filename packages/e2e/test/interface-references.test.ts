import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { slugOf } from "./support/slug-of.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const sources = globSync(["{apps,packages}/*/{src,test}/**/*.ts", "packages/contract/openapi.json"], { cwd: root });
const headings = [...read("docs/interface.md").matchAll(/^#{2,3} (?:(\d+)\. )?(.+)$/gm)];
const sections = headings.flatMap(([, number]) => (number === undefined ? [] : [number]));
const titles = headings.map(([, , title]) => title);
const anchors = headings.map(([heading]) => slugOf(heading.replace(/^#+ /, "")));

describe("docs/interface.md", () => {
  test("names six operations, and the contract has each", () => {
    const operations = [...read("docs/interface.md").matchAll(/^\| [^|]+ \| `([A-Z]+) (\/api[^`]+)`/gm)];
    const { paths } = JSON.parse(read("packages/contract/openapi.json"));
    expect(operations.length).toBe(6);
    for (const [, method = "", path = ""] of operations) expect(paths[path]).toHaveProperty(method.toLowerCase());
  });

  test("has every section that the code refers to", () => {
    const referred = findAll(/docs\/interface\.md, sections? (\d+)(?: and (\d+))?/g);
    expect(referred.length).toBeGreaterThan(20);
    expect(referred.filter((number) => !sections.includes(number))).toEqual([]);
  });

  test("has every operation that the code refers to by its name in section 4", () => {
    const referred = findAll(/docs\/interface\.md, section 4, "([^"]+)"/g);
    expect(referred.length).toBeGreaterThan(5);
    const operations = [...read("docs/interface.md").matchAll(/^\| ([^|]+) \| `[A-Z]+ \/api/gm)].map(
      ([, name]) => name,
    );
    expect(referred.filter((name) => !titles.includes(name) && !operations.includes(name))).toEqual([]);
  });

  test("has every section that a link in openapi.json or in a hover leads to, in the repository that the package names", () => {
    const { repository } = JSON.parse(read("packages/contract/package.json"));
    const address = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/docs/interface.md`;
    const links = findAll(/\]\((https:[^)]*interface\.md#[^)]*)\)/g);
    expect(links.length).toBeGreaterThan(5);
    const known = anchors.map((anchor) => `${address}#${anchor}`);
    expect(links.filter((link) => !known.includes(link))).toEqual([]);
  });
});

/** Returns what the groups of a pattern match in the sources, except in this file. */
function findAll(pattern: RegExp): string[] {
  return sources
    .filter((path) => !path.endsWith("interface-references.test.ts"))
    .flatMap((path) => [...read(path).matchAll(pattern)])
    .flatMap(([, ...groups]) => groups.filter((group) => group !== undefined));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
