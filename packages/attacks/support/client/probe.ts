import { setTimeout as sleep } from "node:timers/promises";
import { readCpuSeconds } from "@siteward/testing/process-tree";
import type { TargetServer } from "@siteward/testing/servers/start-server";
import { expect } from "vitest";
import { percentile } from "../percentile.ts";
import { createHttpClient } from "./http-client.ts";

/** What a healthy client saw. */
export interface Probed {
  readonly count: number;
  /** Requests with an answer other than 200, or without one. */
  readonly failed: number;
  readonly p99Ms: number;
  /**
   * How long the server's processors worked before they answered, on other requests as well. The machine has other work, which
   * makes each answer late, and this only later than a quiet machine would.
   */
  readonly p99WorkMs: number;
}

export interface ProbeOptions {
  readonly path: string;
  readonly apiKey?: string;
  /** Returns the body of each request, which is a PUT then. Default: each is a GET. */
  readonly bodyOf?: (count: number) => object;
  /** The time from an answer to the next request. Default: 20 ms. */
  readonly pauseMs?: number;
}

type ProbedServer = Pick<TargetServer, "url" | "answeringIds">;

/** Sends requests as a healthy client, on one connection and one after another, while something else happens. */
export async function probeWhile<Result>(
  server: ProbedServer,
  { path, apiKey, bodyOf, pauseMs = 20 }: ProbeOptions,
  act: () => Promise<Result>,
): Promise<{ readonly during: Probed; readonly result: Result }> {
  using client = createHttpClient(server.url, { connections: 1 });
  const ids = server.answeringIds();
  const readWorkMs = () => ids.reduce((sum, id) => sum + readCpuSeconds(id) * 1_000, 0);
  const [timesMs, worksMs]: [number[], number[]] = [[], []];
  let [failed, isOver] = [0, false];
  const probing = (async () => {
    while (!isOver) {
      const [startedAtMs, workedBeforeMs] = [performance.now(), readWorkMs()];
      const request = { ...(apiKey && { apiKey }), ...(bodyOf && { body: bodyOf(timesMs.length) }) };
      const answer = await client.send(bodyOf ? "PUT" : "GET", path, request).catch(() => undefined);
      timesMs.push(performance.now() - startedAtMs);
      worksMs.push(readWorkMs() - workedBeforeMs);
      if (answer?.status !== 200) failed += 1;
      await sleep(pauseMs);
    }
  })();
  const result = await act().finally(() => {
    isOver = true;
  });
  await probing;
  const [p99Ms, p99WorkMs] = [percentile(timesMs, 99), percentile(worksMs, 99)];
  return { during: { count: timesMs.length, failed, p99Ms, p99WorkMs }, result };
}

/** Runs a probe for some time. */
export async function probeFor(durationMs: number, server: ProbedServer, options: ProbeOptions): Promise<Probed> {
  return (await probeWhile(server, options, () => sleep(durationMs))).during;
}

/** A healthy client notices a server that works for so long before it answers. */
export const noticedMs = 250;

/** Expects that the healthy client did not notice what else happened. */
export function expectUndisturbed(during: Probed, maxWorkMs: number = noticedMs): void {
  expect(during.failed, `of ${during.count} healthy requests failed`).toBe(0);
  expect(during.p99WorkMs, `ms of work before 99 % of the answers: ${showP99(during)}`).toBeLessThan(maxWorkMs);
}

/** What 99 % of the healthy requests took at most. */
export function showP99({ p99Ms, p99WorkMs }: Probed): string {
  return `${p99Ms.toFixed(1)} ms, with ${Math.round(p99WorkMs)} ms of work`;
}
