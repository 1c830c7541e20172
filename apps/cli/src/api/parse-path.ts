import { CliError } from "../errors/cli-error.ts";

/** A path of the service, and the query that was behind it. */
export interface ParsedPath {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
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
