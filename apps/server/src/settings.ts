import { availableParallelism } from "node:os";
import * as z from "zod";

/** The levels of the log. Each includes those before it. */
const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** What every type of a setting is: it reads text, and its description says what it takes. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,6})$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`a whole number from ${min} to ${max}`);

const commaSeparated = z.string().transform((text) => text.split(",").map((entry) => entry.trim()));

/** Addresses and networks of proxies, and the names that Express knows. A network of all addresses would trust everybody. */
const proxies = commaSeparated.pipe(
  z.array(
    z.union([
      z.enum(["loopback", "linklocal", "uniquelocal"]),
      z.ipv4(),
      z.ipv6(),
      z.union([z.cidrv4(), z.cidrv6()]).refine((network) => !network.endsWith("/0")),
    ]),
  ),
);

/** See `trust proxy` of Express. */
const trustProxy = z
  .union([z.literal("off").transform(() => false as const), wholeNumber(1, 99), proxies])
  .describe("off, a number of hops of at least 1, or comma-separated addresses and networks");

/** Without a slash at the end. If undefined, it is taken from each request. */
const publicUrl = z
  .union([
    z.literal("").transform(() => undefined),
    z
      .url({ protocol: /^https?$/ })
      .transform((text) => new URL(text))
      .refine(({ search, hash, username, password }) => `${search}${hash}${username}${password}` === "")
      .transform(({ href }) => href.replace(/\/+$/, "")),
  ])
  .describe("a URL such as https://siteward.example");

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads a duration such as `90d`, in m, h, d or w, in milliseconds. Returns undefined for any other text. */
export function readDurationMs(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  // The pattern matches only the letters of the table.
  return match === null ? undefined : Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

/** Read as milliseconds. `Infinity` keeps all. */
const retention = z
  .string()
  .transform((text) => (text === "forever" ? Number.POSITIVE_INFINITY : (readDurationMs(text) ?? Number.NaN)))
  .refine((ms) => !Number.isNaN(ms))
  .describe("a duration such as 400d or 12h, or forever");

/** The host and the port of a text such as `127.0.0.1:9464` or `[::1]:9464`. Undefined if nothing is measured. */
const metricsAddress = z
  .union([
    z.literal("off").transform(() => undefined),
    z
      .string()
      .regex(/^([\w.-]+|\[[\da-f:.%\w]+\]):\d{1,5}$/i)
      .transform((text) => {
        const portAt = text.lastIndexOf(":");
        return { host: text.slice(0, portAt).replace(/^\[|\]$/g, ""), port: Number(text.slice(portAt + 1)) };
      })
      .refine(({ port }) => port <= 65_535),
  ])
  .describe("off, or an address with a port such as 127.0.0.1:9464 or [::1]:9464");

const host = z
  .string()
  .regex(/^[\w.:%-]+$/)
  .describe("a host name or an IP address such as 127.0.0.1 or ::");

const replicaUrls = z
  .union([
    z.literal("").transform((): readonly string[] => []),
    commaSeparated.pipe(z.array(z.string().regex(/^(postgres(ql)?|file):/))),
  ])
  .describe("comma-separated URLs of PostgreSQL, with a comma in one as %2C");

const workers = z
  .union([z.literal("auto").transform(availableParallelism), wholeNumber(1, 512)])
  .describe("auto, or a whole number from 1 to 512");

const pages = z
  .enum(["on", "off"])
  .transform((text) => text === "on")
  .describe("on or off");

const logLevel = z.enum(logLevels).describe(`one of ${logLevels.join(", ")}`);

/** Every setting by the name of its environment variable: its default, its type, and its meaning in `--help`. */
export const settings = {
  SITEWARD_HOST: ["127.0.0.1", host, "address to listen on"],
  SITEWARD_PORT: ["3000", wholeNumber(0, 65_535), "port to listen on; 0 chooses a free port"],
  DATABASE_URL: ["file:./data/siteward.db", z.string(), "URL of the database"],
  DATABASE_REPLICA_URLS: ["", replicaUrls, "comma-separated URLs of read replicas of the database"],
  SITEWARD_WORKERS: ["1", workers, "number of processes that answer requests, or auto for one per core"],
  SITEWARD_TRUST_PROXY: ["off", trustProxy, "proxies to trust: off, a number of hops, or addresses and networks"],
  SITEWARD_PUBLIC_URL: ["", publicUrl, "URL at which clients reach the service; taken from each request if unset"],
  SITEWARD_RATE_LIMIT: ["6000", wholeNumber(0, 1_000_000), "requests per minute of an API key; 0 for no limit"],
  SITEWARD_MAX_REQUESTS: ["1000", wholeNumber(10, 100_000), "reads, and writes, that wait for their turn in a process"],
  SITEWARD_AUDIT_RETENTION: ["400d", retention, "how long the audit trail is kept, such as 90d, or forever"],
  SITEWARD_TRAIL_LIMIT: ["500", wholeNumber(0, 1_000_000), "megabytes of changes of an account a day; 0 for no limit"],
  SITEWARD_PAGES: ["on", pages, "pages for people at /console and /docs: on or off"],
  SITEWARD_METRICS: ["off", metricsAddress, "address at which Prometheus reads metrics, or off"],
  LOG_LEVEL: ["info", logLevel, logLevels.join(", ")],
} as const satisfies Record<string, readonly [unset: string, type: z.ZodType, meaning: string]>;

/** The environment variable of a setting. */
export type SettingName = keyof typeof settings;

type Words<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Words<Rest>>}`
  : Lowercase<Text>;
type NameInConfig<Name extends string> = Name extends `SITEWARD_${infer Own}` ? Words<Own> : Words<Name>;

/** The settings of a server, read once at the start. Their names are those of their variables, such as `rateLimit`. */
export type Config = {
  readonly [Name in SettingName as NameInConfig<Name>]: z.output<(typeof settings)[Name][1]>;
};

/** Returns the flag of a setting without its dashes, such as `rate-limit`. */
export function flagOf(name: string): string {
  return name
    .replace(/^SITEWARD_/, "")
    .replaceAll("_", "-")
    .toLowerCase();
}

/** Returns the name of a setting in `Config`, which is also commander's name of its flag, such as `rateLimit`. */
export function nameInConfig(name: string): string {
  return flagOf(name).replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
