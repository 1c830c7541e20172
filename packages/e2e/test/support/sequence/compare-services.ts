import fc from "fast-check";
import type { Service } from "../service/service.ts";
import { anySequence } from "./any-sequence.ts";
import { playSequence } from "./play-sequence.ts";
import type { Sequence } from "./sequence.ts";

/** Which random sequences to send. The same seed and path choose the same sequences. */
export interface Choice {
  readonly sequences: number;
  readonly seed: number;
  /** The place of one sequence among those of the seed, as fast-check names it. */
  readonly path?: string | undefined;
  /** Once it is aborted, the remaining sequences are not sent. */
  readonly signal?: AbortSignal | undefined;
}

/** How long to look for a shorter sequence. */
const maxShrinkMs = 60_000;

/**
 * Sends random sequences of requests to two services, each sequence with new accounts. If an answer differs, it looks for a
 * shorter sequence with a difference.
 *
 * @returns how many requests each service answered
 * @throws Error that contains the seed, the shortest sequence found, and both answers
 */
export async function compareServices(
  services: readonly [Service, Service],
  { sequences, seed, path, signal }: Choice,
): Promise<number> {
  let requests = 0;
  let deadlineMs = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(anySequence, async (sequence) => {
    if (signal?.aborted === true || performance.now() > deadlineMs) return;
    try {
      requests += await playSequence(services, sequence);
    } catch (error) {
      deadlineMs = Math.min(deadlineMs, performance.now() + maxShrinkMs);
      throw error;
    }
  });
  const chosen = path === undefined ? { numRuns: sequences } : { numRuns: 1, path };
  const result = await fc.check(property, { seed, ...chosen });
  if (result.failed) throw new Error(describe(services, result), { cause: result.errorInstance });
  return requests;
}

function describe(services: readonly Service[], result: fc.RunDetails<[Sequence]>): string {
  const { seed, counterexample, counterexamplePath, errorInstance: error } = result;
  return [
    `${services.map(({ name }) => name).join(" and ")} differ.`,
    `Send this sequence again: SITEWARD_TEST_REPLAY=${seed}/${counterexamplePath} pnpm test fake-comparison`,
    `The sequence: ${fc.stringify(counterexample?.[0])}`,
    error instanceof Error ? error.message : String(error),
  ].join("\n");
}
