import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";

/** The result of a load on one URL. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** 99 % of requests were answered within this time. */
  readonly p99Ms: number;
}

const autocannon = createRequire(import.meta.url).resolve("autocannon");
const connections = 100;

/** Sends requests from a separate process for some seconds. @throws Error if an answer was not a 2xx */
export async function load(url: string, options: { apiKey: string; seconds: number }): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...["--json", "--connections", String(connections), "--duration", String(options.seconds)],
    ...["--headers", `authorization=Bearer ${options.apiKey}`, url],
  ]);
  const result = JSON.parse(stdout);
  if (result.non2xx > 0 || result.errors > 0 || result["2xx"] === 0) {
    throw new Error(`The load on ${url} got ${result.non2xx} answers other than 2xx and ${result.errors} errors.`);
  }
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 };
}
