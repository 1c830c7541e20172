import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RequestTemplate } from "./request-template.ts";

/** Requests to one server for some seconds. */
export interface Load {
  readonly url: string;
  readonly apiKey: string;
  readonly seconds: number;
  /** The ids of the websites are 1 to this number. */
  readonly websiteCount: number;
  /** The first number for domains that no other load has. */
  readonly firstNumber: number;
  readonly groups: Readonly<Record<string, CallerGroup>>;
}

/** Callers that send the same kind of request at the same time. Each waits for its answer before it sends the next. */
export interface CallerGroup {
  readonly request: RequestTemplate;
  readonly callers: number;
}

/** By the names of the groups. */
export type LoadResult = Readonly<Record<string, GroupResult>>;

export interface GroupResult {
  /** All answers, also those after the end. */
  readonly answers: number;
  /** Answers per second. */
  readonly perSecond: number;
  /** Half of the requests were answered within this time. */
  readonly p50Ms: number;
  /** 99 % of the requests were answered within this time. */
  readonly p99Ms: number;
}

const program = fileURLToPath(new URL("./load-program.ts", import.meta.url));
/** How much longer than its seconds a load may take. */
const graceMs = 60_000;

/**
 * Sends requests from a separate process. Our own client does it, because autocannon measures times in whole milliseconds and
 * uses more processor time for each request, which the server has to share.
 *
 * @throws Error if an answer was not a 2xx
 */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(load)], {
    timeout: load.seconds * 1000 + graceMs,
  });
  return JSON.parse(stdout);
}
