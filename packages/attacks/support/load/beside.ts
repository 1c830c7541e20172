import { expect } from "vitest";
import { hasRisen, type Probed, type ProbeOptions, probeFor, startProbe } from "../client/probe.ts";

const quietMs = 1_500;

/** What a healthy client saw before an attack and during it. */
export interface Beside<Result> {
  readonly quiet: Probed;
  readonly during: Probed;
  readonly result: Result;
}

/** Reads again and again as a healthy client, first alone and then beside an attack. */
export async function readBeside<Result>(
  url: string,
  read: ProbeOptions,
  attack: () => Promise<Result>,
): Promise<Beside<Result>> {
  const quiet = await probeFor(quietMs, url, read);
  const probe = startProbe(url, read);
  const result = await attack();
  return { quiet, during: await probe.stop(), result };
}

/** Expects that the healthy client did not notice the attack. */
export function expectUndisturbed({ quiet, during }: Beside<unknown>): void {
  expect(during.failed, `of ${during.count} healthy requests failed`).toBe(0);
  expect(hasRisen(during.p99Ms, quiet.p99Ms), `a healthy client waited ${showP99({ quiet, during })}`).toBe(false);
}

/** The time that 99 % of the healthy requests took at most, before and during the attack. */
export function showP99({ quiet, during }: Omit<Beside<unknown>, "result">): string {
  return `${quiet.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms`;
}
