import { decodeName } from "./decode-name.ts";

/** The entries of `exclude_params`. */
export interface ParameterRule {
  readonly names: ReadonlySet<string>;
  /** What entries that end in `*` have in front of it. */
  readonly prefixes: ReadonlySet<string>;
  /** The lengths that prefixes have, each once. */
  readonly lengths: readonly number[];
}

/** Compiles `exclude_params`, whose entries are valid. */
export function compileParameters(entries: readonly string[]): ParameterRule {
  const prefixes = entries.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1));
  return {
    names: new Set(entries.filter((entry) => !entry.endsWith("*"))),
    prefixes: new Set(prefixes),
    lengths: [...new Set(prefixes.map((prefix) => prefix.length))],
  };
}

/**
 * Returns the URL without the parameters that an entry contains. Every other byte stays as it is. If nothing of the
 * query is left, its `?` is removed, too. The time grows with the length of the URL, whatever it contains.
 */
export function removeParameters(rule: ParameterRule, url: string): string {
  const [beforeFragment = ""] = url.split("#", 1);
  const question = beforeFragment.indexOf("?");
  if (question === -1) return url;
  const parts = beforeFragment.slice(question + 1).split("&");
  const kept = parts.filter((part) => !isExcluded(rule, part.split("=", 1)[0] ?? ""));
  if (kept.length === parts.length) return url;
  const query = kept.join("&");
  return url.slice(0, query === "" ? question : question + 1) + query + url.slice(beforeFragment.length);
}

/** Checks a name as it is in the URL, and then decoded. No entry has a space, so a name with `+` alone need not be decoded. */
function isExcluded(rule: ParameterRule, name: string): boolean {
  if (contains(rule, name)) return true;
  const decoded = name.includes("%") ? decodeName(name) : undefined;
  return decoded !== undefined && contains(rule, decoded);
}

function contains({ names, prefixes, lengths }: ParameterRule, name: string): boolean {
  return names.has(name) || lengths.some((length) => length <= name.length && prefixes.has(name.slice(0, length)));
}
