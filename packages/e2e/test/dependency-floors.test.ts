import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * The lowest version of each package without known vulnerabilities. Several versions if older majors were fixed too: the
 * registry of registry.test.ts is on Express 4.
 */
const floors = {
  zod: ["4.5.0"],
  qs: ["6.16.0"],
  "body-parser": ["1.20.5", "2.3.0"],
  "path-to-regexp": ["0.1.13", "8.4.0"],
  "proxy-addr": ["2.0.8"],
  "express-rate-limit": ["5.5.1", "8.3.0"],
  undici: ["7.29.0", "8.9.0"],
  express: ["4.22.3", "5.2.1"],
  cookie: ["0.7.0"],
  send: ["0.19.2", "1.1.0"],
  "serve-static": ["1.16.3", "2.1.0"],
} as const satisfies Record<string, readonly string[]>;

const nodeFloor = "24.18.1";
const sqliteFloor = "3.51.3";

const lockFile = readFileSync(new URL("../../../pnpm-lock.yaml", import.meta.url), "utf8");
const packagesSection = lockFile.slice(lockFile.indexOf("\npackages:"), lockFile.indexOf("\nsnapshots:"));

describe("no locked dependency is below its floor", () => {
  test.for(Object.entries(floors))("%s", ([name, allowed]) => {
    for (const version of lockedVersions(name)) {
      const isHighEnough = allowed.some((floor) => isInLineOf(version, floor, allowed) && compare(version, floor) >= 0);
      expect(isHighEnough, `${name} ${version} is below ${allowed.join(" and ")}`).toBe(true);
    }
  });

  test("the lock file contains the packages that the server depends on", () => {
    for (const name of ["express", "zod", "body-parser", "qs"]) expect(lockedVersions(name)).not.toEqual([]);
  });
});

describe("the running platform is not below its floor", () => {
  test("Node", () => expect(compare(process.versions.node, nodeFloor)).toBeGreaterThanOrEqual(0));
  test("SQLite", () => expect(compare(process.versions["sqlite"] ?? "0", sqliteFloor)).toBeGreaterThanOrEqual(0));
});

function lockedVersions(name: string): string[] {
  const pattern = new RegExp(`^  '?${name.replaceAll("/", "\\/")}@(\\d[^':(]*)`, "gm");
  return [...packagesSection.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** A floor applies to its own major version. The last one applies to all later majors. */
function isInLineOf(version: string, floor: string, allowed: readonly string[]): boolean {
  const major = (text: string) => Number(text.split(".")[0]);
  return major(version) === major(floor) || (floor === allowed.at(-1) && major(version) > major(floor));
}

function compare(left: string, right: string): number {
  const [one, other] = [left, right].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
