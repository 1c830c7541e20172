import fc, { type Arbitrary } from "fast-check";
import { anySequence } from "./any-sequence.ts";
import { playSequences, type Services } from "./play-sequences.ts";
import type { Sequence } from "./sequence.ts";
import type { ReceivedAnswer } from "./side.ts";

/** Which random sequences to send. The same seed and path choose the same sequences. */
export interface Choice {
  readonly sequences: number;
  readonly seed: number;
  /** The place of some sequences among those of the seed, as fast-check names it. */
  readonly path?: string | undefined;
  /** How long to look for shorter sequences if an answer differs. Default: a minute. */
  readonly maxShrinkMs?: number | undefined;
  /** Called with the answers of the tested service, all of them right. */
  readonly onAnswers?: ((answers: readonly ReceivedAnswer[]) => void) | undefined;
}

/** How many sequences are sent at the same time, each with its own account. */
const sequencesAtOnce = 4;

/** If an answer differs, sequences are left out as long as it still does. */
const anySequences: Arbitrary<readonly Sequence[]> = fc
  .tuple(
    anySequence,
    // No sequence is missing before that: fast-check leaves one out in one of a million cases.
    ...Array.from({ length: sequencesAtOnce - 1 }, () => fc.option(anySequence, { nil: undefined, freq: 1_000_000 })),
  )
  .map((sequences) => sequences.filter((sequence) => sequence !== undefined));

/**
 * Sends random sequences of requests to two services, each sequence with new accounts. If an answer differs, it looks for
 * shorter sequences with a difference.
 *
 * @throws Error that contains the seed, the shortest sequences found, and both answers
 */
export async function compareServices(
  services: Services,
  { sequences, seed, path, maxShrinkMs = 60_000, onAnswers }: Choice,
): Promise<void> {
  let deadlineMs = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(anySequences, async (chosen) => {
    if (performance.now() > deadlineMs) return;
    try {
      const answers = await playSequences(services, chosen);
      onAnswers?.(answers);
      // fast-check would go on with what it would have tried after a path, which takes minutes.
      if (path !== undefined && deadlineMs === Number.POSITIVE_INFINITY) deadlineMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      deadlineMs = Math.min(deadlineMs, performance.now() + maxShrinkMs);
      throw error;
    }
  });
  const runs = path === undefined ? { numRuns: Math.ceil(sequences / sequencesAtOnce) } : { numRuns: 1, path };
  const result = await fc.check(property, { seed, ...runs });
  if (result.failed) throw new Error(describe(services, result), { cause: result.errorInstance });
}

function describe(services: Services, result: fc.RunDetails<[readonly Sequence[]]>): string {
  const { seed, counterexample, counterexamplePath, errorInstance: error } = result;
  return [
    `${services.map(({ name }) => name).join(" and ")} differ, or an answer is not declared by the contract.`,
    `Send these sequences again: TEST_SITEWARD_REPLAY=${seed}/${counterexamplePath} pnpm test sequences`,
    `The sequences: ${fc.stringify(counterexample?.[0])}`,
    error instanceof Error ? error.message : String(error),
  ].join("\n");
}
