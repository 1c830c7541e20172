/** The value of a field of a file, or everything that is wrong with it: "is 3; send …". */
export type Reading<Value> = { readonly value: Value } | { readonly faults: readonly string[] };

/** Returns what is wrong with a field; nothing if it has a value. */
export function faultsOf(reading: Reading<unknown>): readonly string[] {
  return "faults" in reading ? reading.faults : [];
}

/** Whether a file states this field: null, undefined and blank text do not. An empty array is stated. */
export function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

/** Describes a refused value in a few words. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = typeof value === "string" ? value.trim() : String(value);
  const short = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

const maxShownLength = 60;

const separators = "\r\n,";
const separator = new RegExp(`[${separators}]`);

/** Splits a list that is comma-separated or has one entry per line, and ignores whitespace around entries. */
export function splitEntries(text: string): string[] {
  return text.split(separator).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
}

/** Counts where {@link splitEntries} splits a list, without splitting it. */
export function countSeparators(text: string): number {
  let count = 0;
  for (const character of separators) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  }
  return count;
}
