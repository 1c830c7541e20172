import { homedir } from "node:os";
import { PassThrough } from "node:stream";
import { Siteward, SitewardError } from "@siteward/sdk";
import { expect, test } from "vitest";
import { createInterruption } from "../process/interruption.ts";
import { explainWait } from "./explain-wait.ts";

const apiKey = "swk_test";

/** The error of a call that the service refuses with this `Retry-After`. */
async function refuse(retryAfter: string): Promise<SitewardError> {
  const kind = { type: "about:blank", title: "Service Unavailable", status: 503, code: "unavailable" };
  const problem = JSON.stringify({ ...kind, detail: `Wait ${retryAfter} s.`, request_id: "test" });
  const headers = { "content-type": "application/problem+json", "retry-after": retryAfter };
  const fetch = async () => new Response(problem, { status: 503, headers });
  const client = new Siteward({ apiKey, baseUrl: "http://localhost", maxRetries: 0, fetch });
  const error: unknown = await client.account.get().catch((thrown: unknown) => thrown);
  return error instanceof SitewardError ? error : expect.unreachable();
}

test("only a wait of five seconds that the service asks for is explained, and only once, however long the others are", async () => {
  const stderr = new PassThrough({ encoding: "utf8" });
  const { stdin, stdout, platform } = process;
  const rest = { homeDirectory: homedir(), interruption: createInterruption(process), runtime: process, facts: {} };
  const explain = explainWait({ ...rest, stdin, stdout, stderr, env: {}, platform }, { output: "table" });
  const event = { method: "GET", url: "http://localhost/api/v1/account", attempt: 1, delayMs: 9_000 } as const;
  await explain({ ...event, error: await refuse("1") });
  expect(stderr.read()).toBeNull();
  for (const retryAfter of ["5", "6"]) await explain({ ...event, error: await refuse(retryAfter) });
  expect(stderr.read()).toBe(
    "Warning: Wait 5 s. This command waits and retries. To get the error at once, use --retries 0.\n",
  );
});
