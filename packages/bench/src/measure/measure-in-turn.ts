// On a signal the process calls `exit`, so that everything it started ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** How often each thing is measured, and for how long. */
export const usualRounds = { rounds: 5, seconds: 1 } as const;

/** Measures things in turn, so that other work on the machine affects all of them. @returns the results of each, in their order */
export async function measureInTurn<Thing, Result>(
  things: readonly Thing[],
  measure: (thing: Thing, seconds: number) => Promise<Result>,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number } = usualRounds,
): Promise<Result[][]> {
  for (const thing of things) await measure(thing, seconds / 2);
  const results = things.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, thing] of things.entries()) results[index]?.push(await measure(thing, seconds));
  }
  return results;
}

/** Returns the median of measurements, which other work on the machine affects least. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
