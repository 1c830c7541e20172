import {
  type AppError,
  databaseBusy,
  databaseReadOnly,
  invalidApiKey,
  outcomeUnknown,
  tooManyWait,
} from "@siteward/service";
import { expect, test } from "vitest";
import { FailedAuthentications } from "../src/auth/failed-authentications.ts";
import { clientDisconnected } from "../src/auth/passwords.ts";
import { Admission } from "../src/door/admission.ts";

const failure = new Error("down");

test.each([
  ["overload", () => refusedBy(async () => fill(new Admission(0)))],
  ["disconnected", () => clientDisconnected()],
  ["full_queue", () => tooManyWait()],
  ["database", () => databaseBusy(failure)],
  ["database_read_only", () => databaseReadOnly(failure)],
  ["outcome_unknown", () => outcomeUnknown(failure)],
  ["invalid_keys_of_network", () => refusedBy(sendInvalidKeys)],
  ["unauthenticated", () => invalidApiKey()],
] as const)("a request is counted as refused for %s", async (reason, refuse) => {
  expect((await refuse()).reason).toBe(reason);
});

function fill(admission: Admission): void {
  for (let count = 0; count < 1_000; count += 1) void admission.enter(1, false);
}

async function sendInvalidKeys(): Promise<void> {
  const failures = new FailedAuthentications(1, () => 0);
  const client = { socket: { remoteAddress: "203.0.113.7" } };
  for (let count = 0; count < 2; count += 1) await failures.limit(client, async () => undefined);
}

async function refusedBy(work: () => Promise<void>): Promise<AppError> {
  const refusal = await work().catch((error: AppError) => error);
  if (refusal === undefined) throw new Error("Nothing was refused.");
  return refusal;
}
