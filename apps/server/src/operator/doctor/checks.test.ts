import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { judgeClock, slightMs, wrongMs } from "./checks/clock.ts";
import { judgeSpeed, slowMs } from "./checks/database-speed.ts";
import { judgeVersion } from "./checks/database-version.ts";
import { fewBytes, judgeSpace, minBytes } from "./checks/disk-space.ts";
import { judgeOwner } from "./checks/file-owner.ts";
import { judgePermissions } from "./checks/file-permissions.ts";
import { judgeBackup, maxAgeDays } from "./checks/last-backup.ts";
import { judgeDescriptorLimit, neededFiles } from "./checks/open-files.ts";
import { proxyIdleSeconds } from "./checks/timeouts.ts";
import { minUnusedDays } from "./checks/unused-keys.ts";
import { checks } from "./checks.ts";
import { doctorCodes } from "./codes.ts";

const mega = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;

test("the table in the docs lists each code of doctor, in the order in which it prints them", async () => {
  const page = await readFile(new URL("../../../../../docs/operating.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("\n## Doctor\n")).split(/\n##+ /)[1] ?? "";
  expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)).toEqual([...doctorCodes]);
});

test("the table in the docs has the figures of the checks", async () => {
  const figures = {
    open_files: `${neededFiles.toLocaleString("en")} files`,
    database_speed: `${slowMs} ms`,
    timeouts: `after ${proxyIdleSeconds} seconds or less`,
    clock: `${slightMs / 1000} seconds. Fails: by more than ${wrongMs / 1000}.`,
    disk_space: `${fewBytes / 1024 / mega} GiB left. Fails: less than ${minBytes / mega} MiB.`,
    last_backup: `${["", "a day", "two days"][maxAgeDays]} old`,
    unused_keys: minUnusedDays === 7 ? "a week ago" : "",
  };
  const page = await readFile(new URL("../../../../../docs/operating.md", import.meta.url), "utf8");
  for (const [code, figure] of Object.entries(figures))
    expect(page.split("\n").find((line) => line.startsWith(`| \`${code}\` |`))).toContain(figure);
});

test("no check waits for itself", () => {
  const needsOf = (code: keyof typeof checks): readonly (keyof typeof checks)[] => checks[code].dependsOn ?? [];
  for (const code of doctorCodes) {
    let needed = needsOf(code);
    for (let depth = 0; depth < doctorCodes.length; depth += 1) needed = needed.flatMap(needsOf);
    expect(needed).toEqual([]);
  }
});

describe("doctor judges", () => {
  test.for([
    [100, "ok"],
    [101, "warning"],
  ] as const)("a write of %s ms: %s", ([ms, status]) => expect(judgeSpeed(ms).status).toBe(status));

  test.for([
    [5, "warning"],
    [8, "ok"],
    [9, "failure"],
  ] as const)("version %s of a program that knows up to 8: %s", ([version, status]) =>
    expect(judgeVersion({ version, newestVersion: 8 }).status).toBe(status),
  );

  test.for([
    [64 * mega - 1, "failure"],
    [64 * mega, "warning"],
    [1024 * mega, "ok"],
  ] as const)("%s free bytes: %s", ([freeBytes, status]) =>
    expect(judgeSpace({ folder: "/data", freeBytes }).status).toBe(status),
  );

  test.for([
    [undefined, "ok"],
    [10_499, "warning"],
    [10_500, "ok"],
    [Number.POSITIVE_INFINITY, "ok"],
  ] as const)("a limit of %s open files: %s", ([limit, status]) =>
    expect(judgeDescriptorLimit(limit).status).toBe(status),
  );

  test.for([
    [2_000, "ok"],
    [2_001, "warning"],
    [-60_000, "warning"],
    [-60_001, "failure"],
  ] as const)("a clock of a server that differs by %s ms: %s", ([byMs, status]) => {
    const now = 1e12;
    // The answer took a second, which counts for neither.
    const clock = { databaseMs: now + byMs + (byMs > 0 ? 1_000 : 0), beforeMs: now, afterMs: now + 1_000 };
    expect(judgeClock({ clock, rows: undefined }, now).status).toBe(status);
  });

  test.for([
    [-5 * dayMs, "ok"],
    [2_001, "warning"],
    [dayMs, "failure"],
  ] as const)("a newest time in a file that is %s ms in the future: %s", ([byMs, status]) => {
    const keys = { count: 0, prefix: undefined };
    const rows = { newestMs: 1e12 + byMs, neverExpiring: keys, neverUsed: keys };
    expect(judgeClock({ clock: undefined, rows }, 1e12).status).toBe(status);
  });

  test.for([
    [2 * dayMs - 1, "ok"],
    [2 * dayMs, "warning"],
  ] as const)("a backup of %s ms ago: %s", ([ageMs, status]) =>
    expect(judgeBackup(new Date(1e12 - ageMs), 1e12).status).toBe(status),
  );

  test.for([
    ["file", 0o640, ["ok"]],
    ["file", 0o644, ["warning"]],
    ["file", 0o666, ["failure"]],
    ["folder", 0o755, ["ok"]],
    ["folder", 0o1777, ["failure"]],
  ] as const)("a %s of mode %s: %s", ([kind, mode, statuses]) => {
    const file = { path: "/data/a.db", isFolder: false, owner: 1, mode: 0o600 };
    const other = { ...file, path: "/data/a b", isFolder: kind === "folder", mode };
    const found = judgePermissions([file, other]);
    expect(found.map(({ status }) => status)).toEqual(statuses);
    for (const { fix } of found) expect(fix ?? "'/data/a b'").toContain("'/data/a b'");
  });

  test("a database that does not exist, or whose system has no owners, as one whose files cannot be checked", () => {
    const folder = { path: "/data", isFolder: true, owner: 1, mode: 0o777 };
    expect(judgePermissions([folder])).toEqual([expect.objectContaining({ status: "skipped" })]);
    expect(judgeOwner([folder], 1).status).toBe("skipped");
    expect(judgeOwner([{ ...folder, isFolder: false }], undefined).status).toBe("skipped");
  });
});
