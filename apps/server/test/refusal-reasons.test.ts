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
import { PasswordQueue } from "../src/auth/password-queue.ts";
import { overloaded } from "../src/door/admission/refuse-overload.ts";

const failure = new Error("down");
const request = { keyId: 1, disconnected: new AbortController().signal };
const hangs = () => new Promise<never>(() => {});

test.each([
  ["overload", () => overloaded("requests of the key")],
  ["password_queue", () => refusedBy(async () => hashTwice(request))],
  ["disconnected", () => refusedBy(async () => hashTwice({ ...request, disconnected: AbortSignal.abort() }))],
  ["full_queue", () => tooManyWait()],
  ["database", () => databaseBusy(failure)],
  ["database_read_only", () => databaseReadOnly(failure)],
  ["outcome_unknown", () => outcomeUnknown(failure)],
  ["invalid_keys_of_network", () => refusedBy(sendInvalidKeys)],
  ["unauthenticated", () => invalidApiKey()],
] as const)("a request is counted as refused for %s", async (reason, refuse) => {
  expect((await refuse()).reason).toBe(reason);
});

async function hashTwice(second: typeof request): Promise<void> {
  const queue = new PasswordQueue(hangs, { maxRunning: 1, maxWaiting: 0, maxWaitingPerKey: 0, maxWaitMs: 1_000 });
  void queue.hash("first", request);
  await queue.hash("second", second);
}

async function sendInvalidKeys(): Promise<void> {
  const failures = new FailedAuthentications({ limit: 1, now: () => 0 });
  const client = { socket: { remoteAddress: "203.0.113.7" } };
  for (let count = 0; count < 2; count += 1) await failures.limit(client, async () => undefined);
}

async function refusedBy(work: () => Promise<void>): Promise<AppError> {
  const refusal = await work().catch((error: AppError) => error);
  if (refusal === undefined) throw new Error("Nothing was refused.");
  return refusal;
}
