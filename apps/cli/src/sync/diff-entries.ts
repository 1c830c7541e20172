/** The entries that one of two lists has and the other has not, each in the order of its list. */
export interface EntryDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares the entries of a list before and after a change. Without a difference, only their order changes. */
export function diffEntries(before: readonly string[], after: readonly string[]): EntryDiff {
  const [known, kept] = [new Set(before), new Set(after)];
  return {
    added: after.filter((entry) => !known.has(entry)),
    removed: before.filter((entry) => !kept.has(entry)),
  };
}
