/** The entries that one list has and another does not. Both are empty if only the order differs. */
export interface EntryDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two lists of entries, each in the order of its list. */
export function diffEntries(before: readonly string[], after: readonly string[]): EntryDiff {
  const known = new Set(before);
  const kept = new Set(after);
  return {
    added: after.filter((entry) => !known.has(entry)),
    removed: before.filter((entry) => !kept.has(entry)),
  };
}
