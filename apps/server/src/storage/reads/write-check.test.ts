import { databaseBusy, databaseReadOnly } from "@siteward/service";
import { expect, it } from "vitest";
import { WriteCheck } from "./write-check.ts";

const readOnly = () => Promise.reject(databaseReadOnly(new Error("It may not be written.")));
const busy = () => Promise.reject(databaseBusy(new Error("Others write.")));
const never = () => new Promise<void>(() => undefined);

it("a database is read-only from the check that finds it to the check that finds the opposite", async () => {
  let current = readOnly;
  const check = new WriteCheck(() => current());
  await expect(check.requireWritable()).rejects.toThrow("read-only");
  current = busy;
  await expect(check.requireWritable()).rejects.toThrow("read-only");
  current = async () => undefined as never;
  await expect(check.requireWritable()).resolves.toBeUndefined();
  current = busy;
  await expect(check.requireWritable()).resolves.toBeUndefined();
});

it("a check that takes long keeps no caller waiting, and no second one begins next to it", async () => {
  let checks = 0;
  const check = new WriteCheck(() => {
    checks += 1;
    return never();
  });
  const startMs = performance.now();
  await Promise.all([check.requireWritable(), check.requireWritable()]);
  await check.requireWritable();
  expect(performance.now() - startMs).toBeLessThan(2_000);
  expect(checks).toBe(1);
});
