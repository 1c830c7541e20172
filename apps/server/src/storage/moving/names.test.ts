import { describe, expect, it } from "vitest";
import { findOldBackups, nameBackup, renderTime } from "./names.ts";

const madeAt = new Date("2027-01-31T09:05:07.890Z");

it("a backup is named by its time in UTC, which sorts as text", () => {
  expect(nameBackup("backups/siteward-{time}.db", madeAt)).toBe("backups/siteward-20270131T090507Z.db");
  expect(nameBackup("siteward.db", madeAt)).toBe("siteward.db");
});

describe("findOldBackups", () => {
  const pattern = "siteward-{time}.db";
  const of = (...times: readonly string[]) => times.map((time) => `siteward-${time}.db`);
  const made = "siteward-20270131T090507Z.db";

  it("names all but the newest ones, with the one that was made", () => {
    const names = of("20270129T000000Z", "20270130T000000Z", "20260101T000000Z").concat(made);
    expect(findOldBackups(names, { pattern, made, keep: 2 })).toEqual(of("20260101T000000Z", "20270129T000000Z"));
    expect(findOldBackups(names, { pattern, made, keep: 4 })).toEqual([]);
    expect(findOldBackups(names, { pattern, made, keep: 1 })).toHaveLength(3);
  });

  it("neither counts nor names backups from the future", () => {
    const names = of("20270129T000000Z", "20270130T000000Z", "20990101T000000Z", "20980101T000000Z").concat(made);
    expect(findOldBackups(names, { pattern, made, keep: 2 })).toEqual(of("20270129T000000Z"));
    expect(findOldBackups(names, { pattern, made, keep: 3 })).toEqual([]);
  });

  it.each([
    "siteward.db",
    "siteward-20270131.db",
    "siteward-20270231T090507Z.db",
    "siteward-20270131T250507Z.db",
    "siteward-99999999T999999Z.db",
    "siteward-20260131T090507Z.db.gz",
    "other-20260131T090507Z.db",
    "siteward-20260131T090507Z-wal.db",
    "siteward-20260131T090507Zsiteward-20260131T090507Z.db",
    `.${made}.host.12.partial`,
  ])("never names %s, which no backup of this name is called", (name) => {
    expect(findOldBackups([name, made], { pattern, made, keep: 1 })).toEqual([]);
  });

  it("accepts a name that is only the time", () => {
    expect(
      findOldBackups([renderTime(madeAt), "notes"], {
        pattern: "{time}",
        made: renderTime(new Date(madeAt.getTime() + 1000)),
        keep: 1,
      }),
    ).toEqual(["20270131T090507Z"]);
  });
});
