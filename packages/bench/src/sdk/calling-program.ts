import { Siteward } from "@siteward/sdk";
import type { Asked, CallingOptions, CallResult } from "./calling-process.ts";
import { type BareRequest, calls } from "./calls.ts";

/**
 * Makes calls whenever the process that started this one asks for them, one at a time, and answers with what they cost.
 */
// The argument is what `calling-process.ts` encodes.
const { caller, url, apiKey, firstNumber } = JSON.parse(process.argv[2] ?? "") as CallingOptions;
const siteward = new Siteward({ apiKey, baseUrl: url, maxRetries: 0 });
const bareFetch = createBareFetch(url, apiKey);
let number = firstNumber;

process.on("message", async ({ call, seconds }: Asked) => {
  const { withSdk, request } = calls[call];
  const callOnce =
    caller === "sdk" ? () => withSdk(siteward, number++) : (): PromiseLike<unknown> => bareFetch(request(number++));
  process.send?.(await measure(callOnce, seconds));
});

async function measure(callOnce: () => PromiseLike<unknown>, seconds: number): Promise<CallResult> {
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  let count = 0;
  do {
    await callOnce();
    count += 1;
  } while (performance.now() - startMs < seconds * 1000);
  const { user, system } = process.cpuUsage(cpuBefore);
  const wallMicroseconds = (performance.now() - startMs) * 1000;
  return { cpuMicroseconds: (user + system) / count, wallMicroseconds: wallMicroseconds / count };
}

/** Creates a function that sends a request with the headers of the SDK, and parses the answer. It checks only the status. */
function createBareFetch(url: string, apiKey: string): (request: BareRequest) => Promise<unknown> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: "application/json, application/problem+json",
    "user-agent": "siteward-sdk/0.0.0",
  };
  return async ({ path, ...init }) => {
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${path} got ${response.status}.`);
    return JSON.parse(await response.text());
  };
}
