import { decodeName } from "./decode-name.ts";

/**
 * The entries of `exclude_params` in the order of their text, without those that a prefix among them contains. So of
 * all, only the last one that is not after a name can contain it.
 */
export type ParameterRule = readonly ParameterEntry[];

interface ParameterEntry {
  /** The name, or what an entry that ends in `*` has in front of it. */
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Compiles `exclude_params`, whose entries are valid. */
export function compileParameters(entries: readonly string[]): ParameterRule {
  const all = entries.map((entry) => ({ text: entry.replace("*", ""), isPrefix: entry.endsWith("*") }));
  all.sort((left, right) => (left.text < right.text || (left.text === right.text && left.isPrefix) ? -1 : 1));
  const rule: ParameterEntry[] = [];
  for (const entry of all) if (!isNamedBy(rule.at(-1), entry.text)) rule.push(entry);
  return rule;
}

/**
 * Returns the URL without the parameters that an entry contains. Every other byte stays as it is. If nothing of the
 * query is left, its `?` is removed, too. The time grows with the length of the URL, whatever it contains.
 */
export function removeParameters(rule: ParameterRule | undefined, url: string): string {
  if (rule === undefined) return url;
  const question = url.indexOf("?");
  const fragment = url.indexOf("#");
  const end = fragment === -1 ? url.length : fragment;
  if (question === -1 || question > end) return url;
  let query = "";
  let keptFrom = question + 1;
  for (let start = keptFrom, partEnd = end; start <= end; start = partEnd + 1) {
    const next = url.indexOf("&", start);
    partEnd = next === -1 ? end : Math.min(next, end);
    if (!isExcluded(rule, url.slice(start, partEnd))) continue;
    query += url.slice(keptFrom, start);
    keptFrom = partEnd + 1;
  }
  if (keptFrom === question + 1) return url;
  // The "&" in front of a last part that is removed goes with it.
  query = keptFrom > end ? query.slice(0, -1) : query + url.slice(keptFrom, end);
  return url.slice(0, query === "" ? question : question + 1) + query + url.slice(end);
}

/** Checks a name as it is in the URL, and then decoded. No entry has a space, so a name with `+` alone need not be decoded. */
function isExcluded(rule: ParameterRule, part: string): boolean {
  const equals = part.indexOf("=");
  const name = equals === -1 ? part : part.slice(0, equals);
  if (contains(rule, name)) return true;
  const decoded = name.includes("%") ? decodeName(name) : undefined;
  return decoded !== undefined && contains(rule, decoded);
}

function contains(rule: ParameterRule, name: string): boolean {
  let low = 0;
  let high = rule.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rule[middle]?.text ?? "") <= name) low = middle + 1;
    else high = middle;
  }
  return isNamedBy(rule[low - 1], name);
}

function isNamedBy(entry: ParameterEntry | undefined, name: string): boolean {
  return entry !== undefined && (entry.isPrefix ? name.startsWith(entry.text) : name === entry.text);
}
