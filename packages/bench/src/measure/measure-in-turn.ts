interface Rounds {
  readonly rounds: number;
  /** How long each measurement takes. */
  readonly seconds: number;
}

/** Measures things in turn, so that other work on the machine affects all of them. @returns the results of each, by its name */
export async function measureInTurn<Name extends string, Result>(
  names: readonly Name[],
  { rounds, seconds }: Rounds,
  measure: (name: Name, seconds: number) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  for (const name of names) await measure(name, seconds / 2);
  const results: Array<readonly [Name, Result]> = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results.push([name, await measure(name, seconds)]);
  }
  const resultsOf = (name: Name) => results.filter(([known]) => known === name).map(([, result]) => result);
  // The type of the result of `fromEntries` does not name the keys.
  return Object.fromEntries(names.map((name) => [name, resultsOf(name)])) as Record<Name, Result[]>;
}
