import { Siteward } from "@siteward/sdk";
import { operations } from "./operations.ts";

/** A server to call, and how long each attempt may take. */
export interface Target {
  readonly url: string;
  readonly timeoutMs: number;
}

/** Calls every operation of every target once, prints the number of calls, and does nothing to end the process. */
const [apiKey = "", targetsJson = ""] = process.argv.slice(2);
// The test encodes the targets.
const targets = JSON.parse(targetsJson) as readonly Target[];
const calls = targets.flatMap(({ url, timeoutMs }) => {
  const siteward = new Siteward({ apiKey, baseUrl: url, timeoutMs, maxRetries: 0 });
  return Object.values(operations).map((call) => call(siteward));
});
console.log((await Promise.allSettled(calls)).length);
