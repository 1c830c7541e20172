import { describe, expect, test } from "vitest";
import { examineConfig } from "../../config.ts";
import type { Check, Patient } from "./check.ts";
import { type DoctorCode, doctorCodes } from "./codes.ts";
import { examine } from "./examine.ts";
import { failure, ok } from "./finding.ts";

const unread = () => Promise.reject(new Error("No check of this test reads a database."));

function patientWith(environment: Record<string, string> = {}): Patient {
  const runtime = { userId: 1, nodeVersion: "24.18.1", compileCacheFolder: undefined };
  return { environment, runtime, ...examineConfig(environment), inspection: unread, contents: unread, now: Date.now };
}

/** Every other check finds nothing wrong. */
function checksWith(some: Partial<Record<DoctorCode, Check>>): Record<DoctorCode, Check> {
  const fine: Check = { run: () => [ok("Fine.")] };
  // The cast is safe: these are the entries of all codes.
  return Object.fromEntries(doctorCodes.map((code) => [code, some[code] ?? fine])) as Record<DoctorCode, Check>;
}

describe("doctor", () => {
  test("names the first failure of a chain for each check that it explains, and does not run them", async () => {
    const never: Check["run"] = () => [failure("This ran.", "Never run it.")];
    const checks = checksWith({
      database: { run: () => [failure("It is gone.", "Get it back.")] },
      database_writable: { dependsOn: ["settings", "database"], run: never },
      database_speed: { dependsOn: ["database_writable"], isAlone: true, run: never },
    });
    const found = await examine(patientWith(), { checks, maxWaitMs: 1_000 });
    expect(found.filter(({ status }) => status !== "ok")).toEqual([
      { code: "database", status: "failure", what: "It is gone.", fix: "Get it back.", dependsOn: null },
      expect.objectContaining({ code: "database_writable", status: "skipped", dependsOn: "database" }),
      expect.objectContaining({ code: "database_speed", status: "skipped", dependsOn: "database" }),
    ]);
    expect(found.map(({ code }) => code)).toEqual(doctorCodes);
  });

  test("does not judge by a default what a setting that is not valid would decide", async () => {
    const checks = checksWith({ proxy: { settings: ["SITEWARD_HOST"], run: () => [ok("It listens on 127.0.0.1.")] } });
    const [found] = (await examine(patientWith({ SITEWARD_HOST: "?" }), { checks, maxWaitMs: 1_000 })).filter(
      ({ code }) => code === "proxy",
    );
    expect(found).toMatchObject({ status: "skipped", dependsOn: "settings" });
  });

  test("ends if a check does not, or fails itself, and says so", async () => {
    const checks = checksWith({
      clock: { run: () => new Promise(() => undefined) },
      replicas: { run: () => Promise.reject(new Error("It broke", { cause: new Error("the disk") })) },
    });
    const found = await examine(patientWith(), { checks, maxWaitMs: 20 });
    expect(found.filter(({ status }) => status !== "ok")).toMatchObject([
      { code: "clock", status: "failure", what: "The check did not end within 0.02 seconds." },
      { code: "replicas", status: "failure", what: "The check could not be made: It broke (the disk)." },
    ]);
  });

  test("measures while nothing else runs", async () => {
    let running = 0;
    const slow: Check["run"] = async () => {
      running += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return [ok("Done.")];
    };
    const all = Object.fromEntries(doctorCodes.map((code) => [code, { run: slow }]));
    const checks = checksWith({ ...all, database_speed: { isAlone: true, run: () => [ok(`${running} others`)] } });
    const found = await examine(patientWith(), { checks, maxWaitMs: 1_000 });
    expect(found.find(({ code }) => code === "database_speed")?.what).toBe("0 others");
  });
});
