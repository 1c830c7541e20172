import fc from "fast-check";
import type { Service } from "../service/service.ts";
import { anySequence } from "./any-sequence.ts";
import { playSequence } from "./play-sequence.ts";

/** Which random sequences to send. The same seed and path choose the same sequences. */
export interface Choice {
  readonly sequences: number;
  readonly seed: number;
  /** The place of one sequence among those of the seed, as fast-check names it. */
  readonly path?: string | undefined;
  /** Once it is aborted, the remaining sequences are not sent. */
  readonly signal?: AbortSignal | undefined;
}

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
  const property = fc.asyncProperty(anySequence, async (sequence) => {
    if (signal?.aborted !== true) requests += await playSequence(services, sequence);
  });
  const result = await fc.check(property, { numRuns: sequences, seed, ...(path === undefined ? {} : { path }) });
  if (!result.failed) return requests;
  const { counterexample, counterexamplePath, errorInstance } = result;
  const shown = [
    `${services.map(({ name }) => name).join(" and ")} differ.`,
    `Send this sequence again: SITEWARD_TEST_REPLAY=${result.seed}/${counterexamplePath} pnpm test fake-comparison`,
    `The sequence: ${fc.stringify(counterexample?.[0])}`,
  ];
  throw new Error(
    [...shown, errorInstance instanceof Error ? errorInstance.message : String(errorInstance)].join("\n"),
    {
      cause: errorInstance,
    },
  );
}
