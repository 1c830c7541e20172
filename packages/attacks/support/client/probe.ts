import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../percentile.ts";
import { createHttpClient } from "./http-client.ts";

/** What a healthy client saw. */
export interface Probed {
  readonly count: number;
  /** Requests with an answer other than 200, or without one. */
  readonly failed: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

export interface ProbeOptions {
  readonly path: string;
  readonly apiKey?: string;
  /** Returns the body of each request, which is a PUT then. Default: each is a GET. */
  readonly bodyOf?: (count: number) => object;
  /** The time from an answer to the next request. Default: 20 ms. */
  readonly pauseMs?: number;
}

/** Starts a healthy client on one connection, which sends one request after another until it is stopped. */
export function startProbe(
  url: string,
  { path, apiKey, bodyOf, pauseMs = 20 }: ProbeOptions,
): { stop: () => Promise<Probed> } {
  const timesMs: number[] = [];
  let failed = 0;
  let isStopped = false;
  const work = (async () => {
    using client = createHttpClient(url, { connections: 1 });
    while (!isStopped) {
      const startedAtMs = performance.now();
      const request = { ...(apiKey && { apiKey }), ...(bodyOf && { body: bodyOf(timesMs.length) }) };
      const answer = await client.send(bodyOf ? "PUT" : "GET", path, request).catch(() => undefined);
      timesMs.push(performance.now() - startedAtMs);
      if (answer?.status !== 200) failed += 1;
      await sleep(pauseMs);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
      return { count: timesMs.length, failed, medianMs: percentile(timesMs, 50), p99Ms: percentile(timesMs, 99) };
    },
  };
}

/** Runs a probe for some time. */
export async function probeFor(durationMs: number, url: string, options: ProbeOptions): Promise<Probed> {
  const probe = startProbe(url, options);
  await sleep(durationMs);
  return await probe.stop();
}

/** A latency counts as risen if it is many times its earlier value and also long, because the machine has other work as well. */
const risenFactor = 5;
const risenMs = 250;

/** Returns a bound of a quiet machine for one on which requests are that slow before the attack. */
export function patientBoundMs(quietMachineMs: number, { p99Ms }: Probed): number {
  return Math.max(quietMachineMs, 10 * p99Ms);
}

export function hasRisen(p99Ms: number, quietP99Ms: number): boolean {
  return p99Ms > Math.max(quietP99Ms * risenFactor, risenMs);
}
