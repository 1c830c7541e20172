import { CliError } from "../errors/cli-error.ts";

/** A name and a value. */
export type Pair<Value> = readonly [name: string, value: Value];

/**
 * Parses `name=value` for a query. Each value is a string.
 *
 * @throws CliError `usage`
 */
export function parsePair(text: string): Pair<string> {
  const index = text.indexOf("=");
  if (index > 0) return [text.slice(0, index), text.slice(index + 1)];
  throw new CliError("usage", `${JSON.stringify(text)} has no name and value. Pass name=value.`);
}

/**
 * Parses `name=value` for a body. A value that is JSON, such as `1`, `null`, `["a"]` or `"1"`, has its type. Any other is a
 * string.
 *
 * @throws CliError `usage`; also for a password, since every user of a machine can read the arguments of its processes
 */
export function parseField(text: string): Pair<unknown> {
  const [name, value] = parsePair(text);
  if (name === "password") {
    throw new CliError(
      "usage",
      "Other users can read a password in an argument. Pass the body with --input.",
      "For example: `siteward api PUT websites/7 --input website.json`",
    );
  }
  return [name, parseValue(value)];
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns an object with these members. A name that is repeated has an array of its values. */
export function collectPairs<Value>(pairs: readonly Pair<Value>[]): Readonly<Record<string, unknown>> {
  const grouped = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, group]) => [name, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  );
}
