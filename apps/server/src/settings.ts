/** The levels of the log. Each includes those before it. */
export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** How each line of the log can be written. */
export const logFormats = ["auto", "json", "text"] as const;

/** Every setting by the name of its environment variable, with the meaning and default that `--help` shows. */
export const settings = {
  SITEWARD_HOST: { flag: "host", meaning: "address to listen on", default: "127.0.0.1" },
  SITEWARD_PORT: { flag: "port", meaning: "port to listen on; 0 chooses a free port", default: "3000" },
  DATABASE_URL: { flag: "database-url", meaning: "URL of the database", default: "file:./data/siteward.db" },
  DATABASE_REPLICA_URLS: {
    flag: "database-replica-urls",
    meaning: "comma-separated URLs of read replicas of the database",
    default: "",
  },
  SITEWARD_WORKERS: {
    flag: "workers",
    meaning: "number of processes that answer requests, or auto for one per core",
    default: "1",
  },
  SITEWARD_TRUST_PROXY: {
    flag: "trust-proxy",
    meaning: "proxies to trust: off, a number of hops, or comma-separated addresses and networks",
    default: "off",
  },
  SITEWARD_PUBLIC_URL: {
    flag: "public-url",
    meaning: "URL at which clients reach the service; taken from each request if unset",
    default: "",
  },
  SITEWARD_RATE_LIMIT: {
    flag: "rate-limit",
    meaning: "requests per minute of an API key that has no limit of its own; 0 for no limit",
    default: "6000",
  },
  SITEWARD_FAILED_AUTH_LIMIT: {
    flag: "failed-auth-limit",
    meaning: "invalid API keys per minute from a client address; 0 for no limit",
    default: "600",
  },
  SITEWARD_MAX_REQUESTS: {
    flag: "max-requests",
    meaning: "requests in progress in a process; any more get a 503",
    default: "1000",
  },
  SITEWARD_HEADERS_TIMEOUT: {
    flag: "headers-timeout",
    meaning: "seconds that a client may take to send the headers of a request",
    default: "10",
  },
  SITEWARD_REQUEST_TIMEOUT: {
    flag: "request-timeout",
    meaning: "seconds that a client may take to send an entire request",
    default: "30",
  },
  SITEWARD_RESPONSE_TIMEOUT: {
    flag: "response-timeout",
    meaning: "seconds that a client may take to read a response",
    default: "30",
  },
  // Longer than the 60 seconds for which common load balancers keep an idle connection, so that they close first.
  SITEWARD_KEEP_ALIVE_TIMEOUT: {
    flag: "keep-alive-timeout",
    meaning: "seconds that an idle connection stays open",
    default: "65",
  },
  SITEWARD_AUDIT_RETENTION: {
    flag: "audit-retention",
    meaning: "how long the audit trail is kept, such as 400d or 90d; forever keeps all of it",
    default: "400d",
  },
  SITEWARD_TRAIL_LIMIT: {
    flag: "trail-limit",
    meaning: "megabytes that the changes of an account may leave in the audit trail in a UTC day; 0 for no limit",
    default: "500",
  },
  SITEWARD_METRICS: {
    flag: "metrics",
    meaning: "address at which Prometheus reads metrics, such as 127.0.0.1:9464, or off",
    default: "off",
  },
  LOG_LEVEL: { flag: "log-level", meaning: logLevels.join(", "), default: "info" },
  LOG_FORMAT: { flag: "log-format", meaning: "json, text, or auto for text on a terminal", default: "auto" },
  NODE_ENV: {
    flag: "node-env",
    meaning: "production, development or test; test validates every response",
    default: "production",
  },
} as const satisfies Record<string, { flag: string; meaning: string; default: string }>;

/** The name of a setting, which is its environment variable. */
export type SettingName = keyof typeof settings;

/** How each line of the log is written. */
export type LogFormat = (typeof logFormats)[number];

/** How much is logged. */
export type LogLevel = (typeof logLevels)[number];
