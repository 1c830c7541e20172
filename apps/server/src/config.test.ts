import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examineConfig, flagOf, type SettingName, settings } from "./config.ts";
import { UsageError } from "./operator/command.ts";
import { readConfig } from "./operator/values.ts";

describe("the settings", () => {
  test("an empty variable counts as unset", () => {
    for (const text of ["", '""', "''", "\r"]) {
      const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, text]));
      expect(readConfig(empty)).toEqual(readConfig({}));
    }
  });

  test("quotation marks and line ends of a file of variables are not a part of the value", async () => {
    const file = { SITEWARD_PORT: '"8080"', SITEWARD_PUBLIC_URL: "'https://a.example'\r", LOG_LEVEL: "warn\r\n" };
    expect(readConfig(file)).toMatchObject({ port: 8080, publicUrl: "https://a.example", logLevel: "warn" });
    for (const text of ['"file:./a.db"', "'file:./a.db'", "file:./a.db\r", ' "file:./a.db"\r\n'])
      expect(readConfig({ DATABASE_URL: text }).databaseUrl).toBe("file:./a.db");
    // Only a pair of the same marks stands around a value.
    expect(() => readConfig({ SITEWARD_PORT: '"8080' })).toThrow('is "\\"8080". Set it to');
  });

  test("a flag wins over the environment, which wins over the default", () => {
    expect(readConfig({ SITEWARD_PORT: "1" }).port).toBe(1);
    expect(readConfig({ SITEWARD_PORT: "1" }, { port: "2" }).port).toBe(2);
    expect(readConfig({ SITEWARD_PORT: "nonsense" }, { port: "2" }).port).toBe(2);
  });

  test.for([
    ["SITEWARD_HOST", "::", { host: "::" }],
    ["SITEWARD_PORT", "65535", { port: 65_535 }],
    [
      "DATABASE_REPLICA_URLS",
      "postgres://a/x, postgres://b/x",
      { databaseReplicaUrls: ["postgres://a/x", "postgres://b/x"] },
    ],
    ["SITEWARD_WORKERS", "512", { workers: 512 }],
    ["SITEWARD_WORKERS", "auto", { workers: availableParallelism() }],
    ["SITEWARD_PUBLIC_URL", "https://example.com/base//", { publicUrl: "https://example.com/base" }],
    ["SITEWARD_TRUST_PROXY", "off", { trustProxy: false }],
    ["SITEWARD_TRUST_PROXY", "2", { trustProxy: 2 }],
    ["SITEWARD_TRUST_PROXY", "loopback, 10.0.0.0/8,::1", { trustProxy: ["loopback", "10.0.0.0/8", "::1"] }],
    ["SITEWARD_RATE_LIMIT", "0", { rateLimit: 0 }],
    ["SITEWARD_AUDIT_RETENTION", "12h", { auditRetention: 43_200_000 }],
    ["SITEWARD_METRICS", "off", { metrics: undefined }],
    ["SITEWARD_METRICS", "127.0.0.1:9464", { metrics: { host: "127.0.0.1", port: 9464 } }],
    ["SITEWARD_METRICS", "[::1]:0", { metrics: { host: "::1", port: 0 } }],
    ["SITEWARD_AUDIT_RETENTION", "forever", { auditRetention: Number.POSITIVE_INFINITY }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
  ] as const)("%s accepts %s", ([name, text, expected]) => {
    expect(readConfig({ [name]: text })).toMatchObject(expected);
  });

  test.for([
    ["SITEWARD_HOST", "http://localhost"],
    ["SITEWARD_PORT", "65536"],
    ["SITEWARD_PORT", "3e3"],
    ["SITEWARD_WORKERS", "0"],
    ["SITEWARD_WORKERS", "many"],
    ["SITEWARD_PUBLIC_URL", "siteward.example"],
    ["SITEWARD_PUBLIC_URL", "https://siteward.example/?a=1"],
    ["SITEWARD_TRUST_PROXY", "on"],
    ["SITEWARD_TRUST_PROXY", "dead"],
    ["SITEWARD_TRUST_PROXY", "10.0.0.0/0"],
    ["SITEWARD_TRUST_PROXY", "10.0.0.1,"],
    ["SITEWARD_RATE_LIMIT", "1000001"],
    ["SITEWARD_TRAIL_LIMIT", "1.5"],
    ["SITEWARD_METRICS", "9464"],
    ["SITEWARD_METRICS", "::1:9464"],
    ["SITEWARD_AUDIT_RETENTION", "400 days"],
    ["SITEWARD_MAX_REQUESTS", "9"],
    ["LOG_LEVEL", "INFO"],
  ] as const)(
    "%s refuses %j, and the error names the setting, its flag and its valid values",
    ([name, text]: readonly [SettingName, string]) => {
      const read = () => readConfig({ [name]: text });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(`${name} (--${flagOf(name)}) is ${JSON.stringify(text)}. Set it to `);
    },
  );

  test("SITEWARD_PUBLIC_URL refuses a user and a password, and the error does not repeat them", () => {
    for (const text of ["https://user:pass@siteward.example", "user:pass@siteward.example"])
      expect(() => readConfig({ SITEWARD_PUBLIC_URL: text })).toThrow(
        'SITEWARD_PUBLIC_URL (--public-url) is "…@siteward.example". Set it to a URL such as https://siteward.example.',
      );
  });

  test("PORT is the port if SITEWARD_PORT is not set, and is named if it is not valid", () => {
    expect(readConfig({ PORT: "8080" }).port).toBe(8080);
    expect(readConfig({ PORT: "8080", SITEWARD_PORT: "1" }).port).toBe(1);
    // Kubernetes sets this one for a service named siteward.
    expect(readConfig({ PORT: "8080", SITEWARD_PORT: "tcp://10.0.0.11:80" }).port).toBe(8080);
    expect(() => readConfig({ PORT: "http" })).toThrow('PORT (--port) is "http". Set it to a whole number');
  });

  test("DATABASE_URL_FILE names a file with the URL, as does the variable of the replicas", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const [file, empty] = [join(folder.path, "url"), join(folder.path, "empty")];
    await writeFile(file, "postgres://u:secret@a/x\r\n");
    await writeFile(empty, "\n");
    expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe("postgres://u:secret@a/x");
    expect(readConfig({ DATABASE_URL_FILE: file }, { databaseUrl: "file:a" }).databaseUrl).toBe("file:a");
    expect(readConfig({ DATABASE_REPLICA_URLS_FILE: file }).databaseReplicaUrls).toEqual(["postgres://u:secret@a/x"]);
    for (const [environment, fault] of [
      [{ DATABASE_URL_FILE: `${file}s` }, `DATABASE_URL_FILE: the file ${file}s cannot be read: ENOENT`],
      [{ DATABASE_URL_FILE: empty }, `DATABASE_URL_FILE: the file ${empty} is empty.`],
      [{ DATABASE_URL_FILE: "postgres://u:secret@a/x" }, "DATABASE_URL_FILE is a URL. Set it to the path of a file"],
      [
        { DATABASE_URL_FILE: file, DATABASE_URL: "file:a" },
        "DATABASE_URL and DATABASE_URL_FILE are both set. Unset one",
      ],
    ] as const) {
      expect(examineConfig(environment).faults).toEqual([expect.stringContaining(fault)]);
      expect(() => readConfig(environment)).not.toThrow("secret");
    }
  });

  test("that are not valid are all found at once, and the others are read", () => {
    const environment = { SITEWARD_PORT: "x", SITEWARD_HOSTS: "y", SITEWARD_HOSTT: "z", SITEWARD_RATE_LIMIT: "7" };
    const { config, faults } = examineConfig(environment, { workers: "0" });
    const named = ["SITEWARD_HOSTS", "SITEWARD_HOSTT", "SITEWARD_PORT", "SITEWARD_WORKERS"];
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(named);
    expect(config).toEqual(readConfig({ SITEWARD_RATE_LIMIT: "7" }));
  });

  test("DATABASE_REPLICA_URLS refuses an empty entry, and the error contains no other entry, which may contain a password", () => {
    for (const text of ["postgres://u:secret@a/x,", "postgres://u:secret@a/x, ,b", "postgres://u:1,secret@a/x"]) {
      const read = () => readConfig({ DATABASE_REPLICA_URLS: text });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(
        /^DATABASE_REPLICA_URLS \(--database-replica-urls\) is not valid\. Set it to comma-separated URLs of PostgreSQL, with a comma in one as %2C\.$/,
      );
    }
  });
});

describe("an environment variable", () => {
  const unknown = (environment: Record<string, string>) => examineConfig(environment).faults;

  test("with our prefix is not a setting, and the error says so", () => {
    expect(unknown({ PATH: "/bin", SITEWARD_TLS_KEY: "x" })).toEqual([
      expect.stringContaining("SITEWARD_TLS_KEY is not a setting."),
    ]);
  });

  test.for([
    ["SITEWARD_PROT", "SITEWARD_PORT"],
    ["SITE_WARD_PORT", "SITEWARD_PORT"],
    ["siteward_port", "SITEWARD_PORT"],
    ["SITEWARD_API_KEYS", "SITEWARD_API_KEY"],
    ["SITEWARD_API_KEY_FILE", "SITEWARD_API_KEY"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DATABASE_URL_PATH", "DATABASE_URL"],
    ["DATABASE_URL_FILES", "DATABASE_URL_FILE"],
    ["DATABASE_REPLICA_URL", "DATABASE_REPLICA_URLS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["SITEWARD_RATE_LIMIT_FILE", "SITEWARD_RATE_LIMIT"],
  ] as const)("%s is one of our names with a mistake, and the error has both", ([wrong, right]) => {
    expect(unknown({ [wrong]: "x" })).toEqual([
      expect.stringContaining(`${wrong} is not a setting. Use ${right}, or `),
    ]);
  });

  test.for([
    ["of the CLI", { SITEWARD_API_KEY: "x", SITEWARD_BASE_URL: "x", SITEWARD_PROFILE: "x", SITEWARD_CONFIG_DIR: "x" }],
    ["of the edge", { SITEWARD_EDGE_PEER: "x" }],
    ["for a password of a website", { SITEWARD_PASSWORD_SHOP_EXAMPLE_COM: "x" }],
    ["of other programs", { MY_SITEWARD_PORT: "x", HOST: "x", PATH: "x", PORTS: "x", LOG: "x", DATABASE: "x" }],
    ["that sets what Node and npm do", { NODE_ENV: "production", npm_config_loglevel: "x", NODE_OPTIONS: "x" }],
    ["that is empty, which counts as unset", { SITEWARD_PROT: "" }],
    [
      "that Kubernetes sets for a service",
      {
        SITEWARD_SERVICE_HOST: "10.0.0.11",
        SITEWARD_SERVICE_PORT: "80",
        SITEWARD_PORT_80_TCP: "tcp://10.0.0.11:80",
        SITEWARD_PORT_80_TCP_ADDR: "10.0.0.11",
        SITEWARD_API_PORT: "tcp://10.0.0.12:80",
      },
    ],
  ] as const)("%s is no typo", ([, environment]) => {
    expect(unknown(environment)).toEqual([]);
  });
});
