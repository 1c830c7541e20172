import { databaseBusy, outcomeUnknown } from "@siteward/service";
import { expect, it } from "vitest";
import type { WriteRefusal } from "./find-write-refusal.ts";
import { WriteAccess } from "./write-access.ts";

const diskError = Object.assign(new Error("disk I/O error"), { errcode: 778 });
const stopped: WriteRefusal = { reason: "its file system is read-only", remedy: "", concernsOpenFiles: true };

it.each([
  ["an unknown outcome", outcomeUnknown(diskError)],
  ["a failure", databaseBusy(diskError)],
])("a disk error is %s first, and a refusal if the file system tells by then that it is read-only", (_, error) => {
  const access = new WriteAccess(({ touches }) => (touches ? stopped : undefined));
  access.note(error);
  expect(access.isRefused).toBe(true);
  expect(() => access.requireFiles()).toThrow("The database is read-only");
  access.noteAccepted();
  expect(() => access.requireFiles()).not.toThrow();
});

it("a disk error of a file system that accepts changes refuses nothing, whoever may open the file by then", () => {
  const access = new WriteAccess(() => ({ ...stopped, concernsOpenFiles: false }));
  access.note(databaseBusy(diskError));
  access.note(databaseBusy(new Error("The queue is full.")));
  expect(access.isRefused).toBe(false);
});
