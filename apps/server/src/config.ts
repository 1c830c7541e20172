import { availableParallelism } from "node:os";
import { readDurationMs } from "./duration.ts";
import { isProxyEntry } from "./is-proxy-entry.ts";
import { type MetricsAddress, readMetricsAddress } from "./metrics-address.ts";
import { type LogFormat, type LogLevel, logFormats, logLevels, type SettingName, settings } from "./settings.ts";
import { findUnknownVariable } from "./unknown-variable.ts";

export { type LogLevel, type SettingName, settings } from "./settings.ts";

/** The settings of a server, read once at the start. */
export interface Config {
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** URL of the database: `file:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  /** URLs of read replicas of the database. */
  readonly databaseReplicaUrls: readonly string[];
  /** How many processes answer requests. */
  readonly workers: number;
  /** How many threads libuv's pool has in each process. */
  readonly threads: number;
  /** Which proxies are trusted for the client's address, protocol and host. See `trust proxy` of Express. */
  readonly trustProxy: false | number | string[];
  /** The URL at which clients reach the service, without a slash at the end. If undefined, it is taken from each request. */
  readonly publicUrl: string | undefined;
  /** How many requests an API key may make in a minute, unless it has a limit of its own; 0 for no limit. */
  readonly rateLimit: number;
  /** How many invalid API keys a client address may send in a minute; 0 for no limit. */
  readonly failedAuthLimit: number;
  /** How many requests may be in progress in a process. */
  readonly maxRequests: number;
  readonly timeouts: ClientTimeouts;
  /** How long entries of the audit trail are kept, in milliseconds. `Infinity` keeps all. */
  readonly auditRetentionMs: number;
  /** How many megabytes the changes of an account may leave in the audit trail in a day (UTC); 0 for no limit. */
  readonly trailLimitMegabytes: number;
  /** Where Prometheus reads metrics. Undefined if nothing is measured. */
  readonly metrics: MetricsAddress | undefined;
  readonly logLevel: LogLevel;
  /** `auto` means text on a terminal, and JSON elsewhere. */
  readonly logFormat: LogFormat;
  /** Whether every response is validated against the contract, which costs a quarter of the throughput. */
  readonly validateResponses: boolean;
}

/** How long the server waits for a client. */
interface ClientTimeouts {
  readonly headersMs: number;
  /** For the entire request. */
  readonly requestMs: number;
  /** For the client to read the entire response. */
  readonly responseMs: number;
  /** For the next request on an idle connection. */
  readonly keepAliveMs: number;
}

/** A setting has a value that is not valid. The message names the setting and its valid values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** The setting, or a variable that is unknown. */
  readonly variable: string;
  /** The setting that decides which values are valid, if there is one. */
  readonly boundedBy: SettingName | undefined;

  constructor(variable: string, message: string, boundedBy?: SettingName) {
    super(message);
    this.variable = variable;
    this.boundedBy = boundedBy;
  }
}

const maxWorkers = 512;
const defaultThreads = 4;
const maxThreads = 1_024;
const maxPerMinute = 1_000_000;
const maxTimeoutSeconds = 3_600;

/**
 * Reads the settings. A flag wins over the environment, which wins over the default.
 *
 * @throws ConfigError if a value is not valid, or if a variable has the prefix of our settings and is unknown
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Partial<Record<SettingName, string>> = {},
): Config {
  requireKnownVariables(environment);
  const read = (name: SettingName): string => flags[name] ?? (environment[name] || settings[name].default);
  const readNumber: NumberReader = (name, range) => readWholeNumber(name, read(name), range);
  return {
    host: readHost(read("SITEWARD_HOST")),
    port: readPort(read("SITEWARD_PORT")),
    databaseUrl: read("DATABASE_URL"),
    databaseReplicaUrls: readReplicaUrls(read("DATABASE_REPLICA_URLS")),
    workers: readWorkers(read("SITEWARD_WORKERS")),
    threads: readThreads(environment["UV_THREADPOOL_SIZE"]),
    trustProxy: readTrustProxy(read("SITEWARD_TRUST_PROXY")),
    publicUrl: readPublicUrl(read("SITEWARD_PUBLIC_URL")),
    rateLimit: readNumber("SITEWARD_RATE_LIMIT", { min: 0, max: maxPerMinute }),
    failedAuthLimit: readNumber("SITEWARD_FAILED_AUTH_LIMIT", { min: 0, max: maxPerMinute }),
    maxRequests: readNumber("SITEWARD_MAX_REQUESTS", { min: 10, max: 100_000 }),
    timeouts: readTimeouts(readNumber),
    auditRetentionMs: readAuditRetention(read("SITEWARD_AUDIT_RETENTION")),
    trailLimitMegabytes: readNumber("SITEWARD_TRAIL_LIMIT", { min: 0, max: 1_000_000 }),
    metrics: readMetrics(read("SITEWARD_METRICS")),
    logLevel: readChoice("LOG_LEVEL", read("LOG_LEVEL"), logLevels),
    logFormat: readChoice("LOG_FORMAT", read("LOG_FORMAT"), logFormats),
    validateResponses: readNodeEnv(read("NODE_ENV")) === "test",
  };
}

/**
 * Reads the settings as `readConfig` does, and also finds every one that is not valid.
 *
 * @returns the settings, with the default of each that is not valid or that bounds one, and an error for each that is not valid and
 *   for each unknown variable
 */
export function examineConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Partial<Record<SettingName, string>> = {},
): { readonly config: Config; readonly errors: readonly ConfigError[] } {
  try {
    return { config: readConfig(environment, flags), errors: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { variable, boundedBy } = error;
    // A default may not be valid next to another setting that is: then both get their defaults.
    const names = settingNames.filter((name) => name === variable || name === boundedBy);
    const defaults = Object.fromEntries(names.map((name) => [name, settings[name].default]));
    const next = examineConfig({ ...environment, [variable]: undefined }, { ...flags, ...defaults });
    return { config: next.config, errors: [error, ...next.errors] };
  }
}

// The cast is safe: these are the keys of the settings.
const settingNames = Object.keys(settings) as SettingName[];

function requireKnownVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const unknown = findUnknownVariable(environment, Object.keys(settings));
  if (unknown === undefined) return;
  const { name, nearest } = unknown;
  const remedy =
    nearest === undefined
      ? "Unset the variable, or give it a name that does not begin with SITEWARD_. " +
        "`siteward-server start --help` lists all settings."
      : `The nearest name is ${nearest}. Rename the variable, or unset it.`;
  throw new ConfigError(name, `${name} is not a setting. ${remedy}`);
}

function readHost(text: string): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw refused("SITEWARD_HOST", text, "a host name or an IP address such as 127.0.0.1 or ::");
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw refused("SITEWARD_PORT", text, "a whole number from 0 to 65535");
}

/** The message contains no URL, because a URL can contain a password. */
function readReplicaUrls(text: string): string[] {
  if (text === "") return [];
  const urls = text.split(",").map((url) => url.trim());
  if (!urls.includes("")) return urls;
  const { flag } = settings.DATABASE_REPLICA_URLS;
  const message = `DATABASE_REPLICA_URLS (--${flag}) has an empty entry. Set it to comma-separated URLs.`;
  throw new ConfigError("DATABASE_REPLICA_URLS", message);
}

function readWorkers(text: string): number {
  if (text === "auto") return availableParallelism();
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= maxWorkers) return Number(text);
  throw refused("SITEWARD_WORKERS", text, `auto, or a whole number from 1 to ${maxWorkers}`);
}

/** libuv reads this variable itself and accepts every value. A value that is not a number means one thread. */
function readThreads(text: string | undefined): number {
  if (text === undefined) return defaultThreads;
  return Math.min(Math.max(1, Number.parseInt(text, 10) || 1), maxThreads);
}

function readTrustProxy(text: string): Config["trustProxy"] {
  if (text === "off") return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const entries = text.split(",").map((entry) => entry.trim());
  if (entries.every(isProxyEntry)) return entries;
  throw refused(
    "SITEWARD_TRUST_PROXY",
    text,
    "off, a number of hops of at least 1, or comma-separated addresses and networks",
  );
}

function readPublicUrl(text: string): string | undefined {
  if (text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (isUsable && url.username === "" && url.password === "") return url.href.replace(/\/+$/, "");
  // A message that quotes a password would be kept in a log.
  const shown = text.replace(/^.*@/s, "…@");
  throw refused("SITEWARD_PUBLIC_URL", shown, "a URL such as https://siteward.example");
}

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** The setting that `max` comes from. */
  readonly boundedBy?: SettingName;
}

type NumberReader = (name: SettingName, range: NumberRange) => number;

function readWholeNumber(name: SettingName, text: string, { min, max, boundedBy }: NumberRange): number {
  if (/^(0|[1-9]\d{0,6})$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw refused(name, text, `a whole number from ${min} to ${max}`, boundedBy);
}

function readTimeouts(readNumber: NumberReader): ClientTimeouts {
  const readMs = (name: SettingName, range: Partial<NumberRange> = {}) =>
    readNumber(name, { min: 1, max: maxTimeoutSeconds, ...range }) * 1000;
  const requestMs = readMs("SITEWARD_REQUEST_TIMEOUT");
  return {
    requestMs,
    // The headers are a part of the request.
    headersMs: readMs("SITEWARD_HEADERS_TIMEOUT", { max: requestMs / 1000, boundedBy: "SITEWARD_REQUEST_TIMEOUT" }),
    responseMs: readMs("SITEWARD_RESPONSE_TIMEOUT"),
    keepAliveMs: readMs("SITEWARD_KEEP_ALIVE_TIMEOUT"),
  };
}

function readChoice<Choice extends string>(name: SettingName, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw refused(name, text, `one of ${choices.join(", ")}`);
}

function readAuditRetention(text: string): number {
  const retentionMs = text === "forever" ? Number.POSITIVE_INFINITY : readDurationMs(text);
  if (retentionMs !== undefined) return retentionMs;
  throw refused("SITEWARD_AUDIT_RETENTION", text, "a duration such as 400d or 12h, or forever");
}

function readMetrics(text: string): Config["metrics"] {
  if (text === "off") return undefined;
  const address = readMetricsAddress(text);
  if (address !== undefined) return address;
  throw refused("SITEWARD_METRICS", text, "off, or an address with a port such as 127.0.0.1:9464 or [::1]:9464");
}

function readNodeEnv(text: string): string {
  if (["production", "development", "test"].includes(text)) return text;
  throw refused("NODE_ENV", text, "production, development or test");
}

function refused(name: SettingName, text: string, expected: string, boundedBy?: SettingName): ConfigError {
  const message = `${name} (--${settings[name].flag}) is ${JSON.stringify(text)}. Set it to ${expected}.`;
  return new ConfigError(name, message, boundedBy);
}
