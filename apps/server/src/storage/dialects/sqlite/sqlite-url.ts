import { fileURLToPath } from "node:url";
import { InstallationError } from "../../interface/installation-error.ts";
import type { DatabaseLocation } from "../dialect.ts";

/**
 * Returns the path in a URL of the form `file:relative/path`, `file:/absolute/path` or `file:///absolute/path`.
 *
 * @throws InstallationError `invalid_url` if the URL is not valid
 */
export function readSqliteUrl({ databaseUrl, setting }: DatabaseLocation): string {
  const example = 'Use a URL such as "file:./data/siteward.db"';
  const path = databaseUrl.slice("file:".length);
  if (path === "") throw invalidUrl(`${setting} is "file:", which has no file path. ${example}.`);
  if (/[?#]/.test(path)) throw invalidUrl(`${setting} is ${databaseUrl}, which contains a "?" or "#". ${example}.`);
  if (path.includes(":memory:")) {
    throw invalidUrl(
      `${setting} is ${databaseUrl}, which is an in-memory database. Siteward needs a file. ${example}.`,
    );
  }
  if (!path.startsWith("//")) return path;
  if (!path.startsWith("///"))
    throw invalidUrl(`${setting} is ${databaseUrl}, which contains a host name. ${example}.`);
  try {
    return fileURLToPath(databaseUrl);
  } catch {
    throw invalidUrl(`${setting} is ${databaseUrl}, whose percent-encoding is not valid. ${example}.`);
  }
}

function invalidUrl(message: string): InstallationError {
  return new InstallationError("invalid_url", message);
}
