import { parseJson } from "../files/rows.ts";
import { CliError } from "../process/cli-error.ts";

/** A path of the service, and the query that was behind it. */
export interface ParsedPath {
  readonly path: string;
  readonly query: readonly Pair[];
}

/**
 * Parses the path of a raw request. A path without a slash at its start is below `/api/v1/`.
 *
 * @throws CliError `usage` if the path could lead out of the service, which would then not be the one that gets the key
 */
export function parsePath(text: string): ParsedPath {
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(text)) {
    throw new CliError(
      "usage",
      "The path must not contain the address of a service.",
      "Pass a path such as `websites/7`. The service is that of --base-url, SITEWARD_BASE_URL or the profile.",
    );
  }
  const [path = "", ...rest] = text.split("?");
  if (path === "" || /[#\\\s]/.test(text) || path.split("/").some(isDotSegment)) {
    throw new CliError("usage", `${JSON.stringify(text)} is not a path. Pass one such as \`websites/7\`.`);
  }
  return {
    path: path.startsWith("/") ? path : `/api/v1/${path}`,
    query: [...new URLSearchParams(rest.join("?"))],
  };
}

/** Whether a URL parser would remove this segment, and with ".." the one before it, even if it is encoded. */
function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

/** A name and a value. */
export type Pair = readonly [name: string, value: unknown];

/**
 * Parses `name=value` for a body. A value that is JSON, such as `1`, `null`, `["a"]` or `"1"`, has its type. Any other is a
 * string.
 *
 * @throws CliError `usage`; also for a password, since every user of a machine can read the arguments of its processes
 */
export function parseField(text: string): Pair {
  const index = text.indexOf("=");
  if (index < 1) throw new CliError("usage", `${JSON.stringify(text)} has no name and value. Pass name=value.`);
  const name = text.slice(0, index);
  if (name === "password") {
    throw new CliError(
      "usage",
      "Other users can read a password in an argument. Pass the body with --input.",
      "For example: `siteward api PUT websites/7 --input website.json`",
    );
  }
  const value = text.slice(index + 1);
  const parsed = parseJson(value);
  return [name, parsed.ok ? parsed.value : value];
}

/** Returns an object with these members. A name that is repeated has an array of its values. */
export function collectPairs(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  const grouped = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, group]) => [name, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  );
}
