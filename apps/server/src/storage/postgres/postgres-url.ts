import type { ClientConfig } from "pg";
import { parse, toClientConfig } from "pg-connection-string";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";

export interface PostgresSettings {
  /** The address, the user and the TLS settings, for the driver. */
  readonly client: ClientConfig;
  /** The largest number of connections that a process opens. */
  readonly maxConnections: number;
  /** How long a request waits for a free connection, or for a new one. */
  readonly poolTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly preparesStatements: boolean;
}

/** Integer parameters of the URL, with their default, minimum and maximum. */
const numbers = {
  pool_max_conns: { default: 10, min: 3, max: 1_000 },
  pool_timeout: { default: 2, min: 1, max: 60 },
  statement_timeout: { default: 5_000, min: 100, max: 60_000 },
} as const;

/** Parameters of libpq that are passed to the driver unchanged. */
const libpqParameters = ["application_name", "host", "options", "sslcert", "sslkey", "sslmode", "sslrootcert"];
const sslModes = ["disable", "require", "verify-ca", "verify-full"];

/**
 * Reads a `postgres://` URL. TLS settings mean what they mean to libpq:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
 *
 * @param setting the name of the setting that contains the URL, for messages. Messages never quote the URL, which may contain
 *   a password.
 * @param programName the name of the connections instead of that in the URL
 * @throws InstallationError `invalid_url` if the URL is not valid
 */
export function readPostgresUrl(databaseUrl: string, setting: string, programName?: string): PostgresSettings {
  // Otherwise a part of the password would be parsed as a host, a database or a parameter, and looked up or printed.
  if (!/^postgres(ql)?:\/\/(([^@#/?%]|%[\da-f]{2})*@)?[^@]*$/i.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw invalidUrl(`${setting} is not a URL of a PostgreSQL database. ${example}, and ${encode}.`);
  }
  const parameters = new URL(databaseUrl).searchParams;
  requireKnown(parameters, setting);
  const client = readClient(databaseUrl, setting);
  const read = (name: keyof typeof numbers) => readNumber(parameters, name, setting);
  return {
    client: { ...client, application_name: programName ?? toProgramName(client.application_name) },
    maxConnections: read("pool_max_conns"),
    poolTimeoutMs: read("pool_timeout") * 1_000,
    statementTimeoutMs: read("statement_timeout"),
    preparesStatements: readBoolean(parameters, "prepared_statements", setting),
  };
}

const example = 'Use a URL such as "postgres://user@host:5432/database"';
const encode = 'encode special characters in it, such as "@" in a password as %40';

function requireKnown(parameters: URLSearchParams, setting: string): void {
  const known = [...libpqParameters, ...Object.keys(numbers), "prepared_statements"];
  for (const name of parameters.keys()) {
    if (!known.includes(name)) {
      throw invalidUrl(`${setting} has an unknown parameter "${name}". Use one of ${known.toSorted().join(", ")}.`);
    }
  }
  const sslMode = parameters.get("sslmode");
  if (sslMode !== null && !sslModes.includes(sslMode)) {
    throw invalidUrl(`${setting} has sslmode=${sslMode}. Use one of ${sslModes.join(", ")}.`);
  }
}

function readNumber(parameters: URLSearchParams, name: keyof typeof numbers, setting: string): number {
  const { default: value, min, max } = numbers[name];
  const text = parameters.get(name) ?? String(value);
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw invalidUrl(`${setting} has ${name}=${text}. Use a whole number from ${min} to ${max}.`);
}

function readBoolean(parameters: URLSearchParams, name: string, setting: string): boolean {
  const text = parameters.get(name) ?? "true";
  if (text === "true" || text === "false") return text === "true";
  throw invalidUrl(`${setting} has ${name}=${text}. Use true or false.`);
}

function readClient(databaseUrl: string, setting: string): ClientConfig {
  const url = new URL(databaseUrl);
  for (const name of [...url.searchParams.keys()]) {
    if (!libpqParameters.includes(name)) url.searchParams.delete(name);
  }
  try {
    return toClientConfig(parse(url.href, { useLibpqCompat: true }));
  } catch (cause) {
    throw invalidUrl(`${setting} cannot be used: ${reasonOf(cause)}`);
  }
}

/** A copy recognizes the connections of this program by the beginning of their name. */
function toProgramName(name = siteward): string {
  return name.startsWith(siteward) ? name : `${siteward} ${name}`;
}

const siteward = "siteward";

function invalidUrl(message: string): InstallationError {
  return new InstallationError("invalid_url", message);
}
