import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { ConfigError, examineConfig, readConfig, type SettingName, settings } from "./config.ts";

describe("the settings", () => {
  test("have the documented defaults", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 3000,
      databaseUrl: "file:./data/siteward.db",
      databaseReplicaUrls: [],
      workers: 1,
      threads: 4,
      trustProxy: false,
      publicUrl: undefined,
      rateLimit: 6_000,
      failedAuthLimit: 600,
      maxRequests: 1000,
      timeouts: { headersMs: 10_000, requestMs: 30_000, responseMs: 30_000, keepAliveMs: 65_000 },
      auditRetentionMs: 34_560_000_000,
      trailLimitMegabytes: 500,
      logLevel: "info",
      logFormat: "auto",
      validateResponses: false,
    });
  });

  test("an empty variable counts as unset", () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, ""]));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test.for([
    ["8", 8],
    ["1", 1],
    ["0", 1],
    ["", 1],
    ["many", 1],
    ["-3", 1],
    ["5000", 1024],
  ] as const)("UV_THREADPOOL_SIZE %j means %i threads, at most as many as libuv starts", ([text, threads]) => {
    expect(readConfig({ UV_THREADPOOL_SIZE: text }).threads).toBe(threads);
  });

  test("a flag wins over the environment, which wins over the default", () => {
    expect(readConfig({ SITEWARD_PORT: "1" }).port).toBe(1);
    expect(readConfig({ SITEWARD_PORT: "1" }, { SITEWARD_PORT: "2" }).port).toBe(2);
    expect(readConfig({ SITEWARD_PORT: "nonsense" }, { SITEWARD_PORT: "2" }).port).toBe(2);
  });

  test("responses are validated in tests only", () => {
    expect(readConfig({ NODE_ENV: "test" }).validateResponses).toBe(true);
    expect(readConfig({ NODE_ENV: "development" }).validateResponses).toBe(false);
  });

  test.for([
    ["SITEWARD_HOST", "::", { host: "::" }],
    ["SITEWARD_HOST", "0.0.0.0", { host: "0.0.0.0" }],
    ["SITEWARD_PORT", "0", { port: 0 }],
    ["SITEWARD_PORT", "65535", { port: 65_535 }],
    ["DATABASE_REPLICA_URLS", "postgres://a/x", { databaseReplicaUrls: ["postgres://a/x"] }],
    [
      "DATABASE_REPLICA_URLS",
      "postgres://a/x, postgres://b/x",
      { databaseReplicaUrls: ["postgres://a/x", "postgres://b/x"] },
    ],
    ["SITEWARD_WORKERS", "1", { workers: 1 }],
    ["SITEWARD_WORKERS", "512", { workers: 512 }],
    ["SITEWARD_WORKERS", "auto", { workers: availableParallelism() }],
    ["SITEWARD_PUBLIC_URL", "https://siteward.example/", { publicUrl: "https://siteward.example" }],
    ["SITEWARD_PUBLIC_URL", "https://example.com/base//", { publicUrl: "https://example.com/base" }],
    ["SITEWARD_TRUST_PROXY", "off", { trustProxy: false }],
    ["SITEWARD_TRUST_PROXY", "2", { trustProxy: 2 }],
    ["SITEWARD_TRUST_PROXY", "loopback, 10.0.0.0/8,::1", { trustProxy: ["loopback", "10.0.0.0/8", "::1"] }],
    ["SITEWARD_RATE_LIMIT", "0", { rateLimit: 0 }],
    ["SITEWARD_RATE_LIMIT", "1000000", { rateLimit: 1_000_000 }],
    ["SITEWARD_FAILED_AUTH_LIMIT", "0", { failedAuthLimit: 0 }],
    ["SITEWARD_MAX_REQUESTS", "10", { maxRequests: 10 }],
    ["SITEWARD_AUDIT_RETENTION", "12h", { auditRetentionMs: 43_200_000 }],
    ["SITEWARD_TRAIL_LIMIT", "0", { trailLimitMegabytes: 0 }],
    ["SITEWARD_METRICS", "off", { metrics: undefined }],
    ["SITEWARD_METRICS", "127.0.0.1:9464", { metrics: { host: "127.0.0.1", port: 9464 } }],
    ["SITEWARD_METRICS", "[::1]:0", { metrics: { host: "::1", port: 0 } }],
    ["SITEWARD_METRICS", "metrics.internal:9464", { metrics: { host: "metrics.internal", port: 9464 } }],
    ["SITEWARD_AUDIT_RETENTION", "forever", { auditRetentionMs: Number.POSITIVE_INFINITY }],
    ["SITEWARD_HEADERS_TIMEOUT", "30", { timeouts: { headersMs: 30_000 } }],
    ["SITEWARD_REQUEST_TIMEOUT", "3600", { timeouts: { requestMs: 3_600_000 } }],
    ["SITEWARD_RESPONSE_TIMEOUT", "1", { timeouts: { responseMs: 1_000 } }],
    ["SITEWARD_KEEP_ALIVE_TIMEOUT", "5", { timeouts: { keepAliveMs: 5_000 } }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
  ] as const)("%s accepts %s", ([name, text, expected]) => {
    expect(readConfig({ [name]: text })).toMatchObject(expected);
  });

  test.for([
    ["SITEWARD_HOST", "a b"],
    ["SITEWARD_HOST", "http://localhost"],
    ["SITEWARD_PORT", "65536"],
    ["SITEWARD_PORT", "-1"],
    ["SITEWARD_PORT", "3e3"],
    ["SITEWARD_PORT", " 80"],
    ["SITEWARD_WORKERS", "0"],
    ["SITEWARD_WORKERS", "1.5"],
    ["SITEWARD_WORKERS", "-1"],
    ["SITEWARD_WORKERS", "513"],
    ["SITEWARD_WORKERS", "many"],
    ["SITEWARD_PUBLIC_URL", "siteward.example"],
    ["SITEWARD_PUBLIC_URL", "ftp://siteward.example"],
    ["SITEWARD_PUBLIC_URL", "https://siteward.example/?a=1"],
    ["SITEWARD_TRUST_PROXY", "on"],
    ["SITEWARD_TRUST_PROXY", "0"],
    ["SITEWARD_TRUST_PROXY", "true"],
    ["SITEWARD_TRUST_PROXY", "dead"],
    ["SITEWARD_TRUST_PROXY", "10.0.0.0/0"],
    ["SITEWARD_TRUST_PROXY", "10.0.0.0/33"],
    ["SITEWARD_TRUST_PROXY", "10.0.0.1,"],
    ["SITEWARD_RATE_LIMIT", "-1"],
    ["SITEWARD_RATE_LIMIT", "600/min"],
    ["SITEWARD_RATE_LIMIT", "1000001"],
    ["SITEWARD_FAILED_AUTH_LIMIT", "off"],
    ["SITEWARD_MAX_REQUESTS", "0"],
    ["SITEWARD_TRAIL_LIMIT", "1.5"],
    ["SITEWARD_TRAIL_LIMIT", "1000001"],
    ["SITEWARD_METRICS", "on"],
    ["SITEWARD_METRICS", "9464"],
    ["SITEWARD_METRICS", ":9464"],
    ["SITEWARD_METRICS", "::1:9464"],
    ["SITEWARD_METRICS", "127.0.0.1:65536"],
    ["SITEWARD_METRICS", "http://127.0.0.1:9464"],
    ["SITEWARD_AUDIT_RETENTION", "0"],
    ["SITEWARD_AUDIT_RETENTION", "400"],
    ["SITEWARD_AUDIT_RETENTION", "400 days"],
    ["SITEWARD_MAX_REQUESTS", "9"],
    ["SITEWARD_MAX_REQUESTS", "010"],
    ["SITEWARD_HEADERS_TIMEOUT", "0"],
    ["SITEWARD_HEADERS_TIMEOUT", "31"],
    ["SITEWARD_REQUEST_TIMEOUT", "3601"],
    ["SITEWARD_RESPONSE_TIMEOUT", "1.5"],
    ["SITEWARD_KEEP_ALIVE_TIMEOUT", "0"],
    ["LOG_LEVEL", "INFO"],
    ["NODE_ENV", "prod"],
  ] as const)(
    "%s refuses %j, and the error names the setting, its flag and its valid values",
    ([name, text]: readonly [SettingName, string]) => {
      const read = () => readConfig({ [name]: text });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(`${name} (--${settings[name].flag}) is ${JSON.stringify(text)}. Set it to `);
    },
  );

  test("SITEWARD_PUBLIC_URL refuses a user and a password, and the error does not repeat them", () => {
    for (const text of [
      "https://user:pass@siteward.example",
      "ftp://user:pass@siteward.example",
      "user:pass@siteward.example",
    ])
      expect(() => readConfig({ SITEWARD_PUBLIC_URL: text })).toThrow(
        'SITEWARD_PUBLIC_URL (--public-url) is "…@siteward.example". Set it to a URL such as https://siteward.example.',
      );
  });

  test("that are not valid are all found at once, and the others are read", () => {
    const environment = { SITEWARD_PORT: "x", SITEWARD_HOSTS: "y", SITEWARD_HOSTT: "z", SITEWARD_RATE_LIMIT: "7" };
    const { config, errors } = examineConfig(environment, { SITEWARD_WORKERS: "0" });
    expect(errors.map(({ variable }) => variable)).toEqual([
      "SITEWARD_HOSTS",
      "SITEWARD_HOSTT",
      "SITEWARD_PORT",
      "SITEWARD_WORKERS",
    ]);
    expect(config).toEqual(readConfig({ SITEWARD_RATE_LIMIT: "7" }));
  });

  test("are also found if a setting that is valid rules out the default of another", () => {
    const { config, errors } = examineConfig({ SITEWARD_REQUEST_TIMEOUT: "5", SITEWARD_RATE_LIMIT: "7" });
    expect(errors.map(({ variable }) => variable)).toEqual(["SITEWARD_HEADERS_TIMEOUT"]);
    expect(config).toEqual(readConfig({ SITEWARD_RATE_LIMIT: "7" }));
  });

  test("DATABASE_REPLICA_URLS refuses an empty entry, and the error contains no other entry, which may contain a password", () => {
    for (const text of ["postgres://u:secret@a/x,", ",postgres://u:secret@a/x", "postgres://u:secret@a/x, ,b", ","]) {
      const read = () => readConfig({ DATABASE_REPLICA_URLS: text });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(
        /^DATABASE_REPLICA_URLS \(--database-replica-urls\) has an empty entry\. Set it to comma-separated URLs\.$/,
      );
    }
  });
});
