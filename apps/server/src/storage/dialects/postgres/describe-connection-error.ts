import { quoteForShell } from "../../../quote-for-shell.ts";
import type { PostgresSettings } from "./postgres-url.ts";

type Client = PostgresSettings["client"];

/** Node's codes for a server that cannot be found or refuses connections. */
const unreachableCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** PostgreSQL's code for a database that does not exist. */
const unknownDatabaseCode = "3D000";

/**
 * Describes why no connection could be opened, and what to do. Node.js throws an error without a message if it has tried several
 * addresses of a host.
 */
export function describeConnectionError(error: unknown, client: Client): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // The driver throws this if the server requires a password and none is set.
  if (cause.message.includes("client password must be a string")) {
    return "The server requires a password. Set it in the URL or in PGPASSWORD.";
  }
  const code = "code" in cause ? String(cause.code) : undefined;
  return `${cause.message || (code ?? cause.name)}${remedyOf(code, client)}`;
}

function remedyOf(code: string | undefined, client: Client): string {
  if (code === unknownDatabaseCode) return `. Create it with \`${createDatabase(client)}\`.`;
  return code !== undefined && unreachableCodes.has(code) ? ". Check the URL and that PostgreSQL runs." : "";
}

/** Returns the command of PostgreSQL. It asks for the password itself. */
function createDatabase({ host, port, user, database }: Client): string {
  const flags = Object.entries({ host, port, username: user }).filter(([, value]) => Boolean(value));
  const words = [...flags.map(([name, value]) => `--${name}=${value}`), ...(database ? [database] : [])];
  return ["createdb", ...words.map((word) => quoteForShell(word))].join(" ");
}
