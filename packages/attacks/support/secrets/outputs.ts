import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database, EngineName } from "@siteward/testing/engines/database";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { startServer } from "@siteward/testing/servers/start-server";
import type { Planted } from "./planted.ts";

/** Starts a server at log level `trace` with metrics, with everything that it writes in files. */
export async function startCaptured(database: Database, folder: string) {
  const base = join(folder, "server");
  const wrapper = ["sh", "-c", '"$@" 2>"$0.err" | tee "$0.out"', base];
  const settings = { LOG_LEVEL: "trace", SITEWARD_METRICS: "127.0.0.1:0" };
  const server = await startServer(database.url, { wrapper, settings });
  const readLog = () => readFile(`${base}.err`);
  const readMetrics = async () => {
    const url = /Prometheus can read metrics at ([^"]+)/.exec((await readLog()).toString())?.[1] ?? "";
    const response = await fetch(url);
    return Buffer.from(JSON.stringify([...response.headers]) + (await response.text()));
  };
  return { server, readLog, readMetrics, readOutput: () => readFile(`${base}.out`) };
}

/** Runs `doctor` with a password in each setting that can contain one, valid or not. Returns what it prints. */
export async function examineWithSecrets({ url }: Database, planted: Planted): Promise<Buffer> {
  const secret = () => planted.text("a setting of doctor");
  const own = new URL(url);
  if (own.protocol !== "file:") own.password = secret();
  const settings: readonly Record<string, string>[] = [
    { DATABASE_URL: own.href, DATABASE_REPLICA_URLS: `${own.href},postgres://u:${secret()}@127.0.0.1:1/d` },
    { SITEWARD_PUBLIC_URL: `https://u:${secret()}@a.example`, PGPASSWORD: secret() },
    { SITEWARD_PUBLIC_URL: `ftp://u:${secret()}@a.example` },
    ...["postgres:/", "postgres://", "mysql://"].map((start) => ({
      DATABASE_URL: `${start}u:${secret()}@127.0.0.1:1/d`,
    })),
  ];
  const env = { DATABASE_URL: url };
  const runs = settings.flatMap((one) =>
    [[], ["--json"]].map((words) => print(["doctor", ...words], { ...env, ...one })),
  );
  return Buffer.from((await Promise.all(runs)).join("\n"));
}

/** Makes a backup of a running server, restores it elsewhere, and has each command refused. */
export async function backUp({ url }: Database, folder: string, planted: Planted) {
  const [file, target] = [join(folder, "backup.db"), join(folder, "restored.db")];
  const withPassword = `postgres://siteward:${planted.text("the password of a database URL")}@127.0.0.1:1/siteward`;
  const printed: string[] = [];
  for (const [databaseUrl, ...words] of [
    [url, "backup", file],
    [url, "backup", file],
    [url, "backup", `${file}.json`, "--json"],
    [url, "restore", file],
    [`file:${target}`, "restore", file],
    [`file:${target}`, "restore", file, "--json"],
    [withPassword, "backup", file],
    [withPassword, "restore", file],
  ] as const) {
    printed.push(await print(words, { DATABASE_URL: databaseUrl }));
  }
  // PostgreSQL has tools of its own.
  const files = await Promise.all([file, target].map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return { printed: Buffer.from(printed.join("\n")), files: Buffer.concat(files) };
}

/** Returns what an operator's command prints on both streams, however it ends. */
async function print(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [serverBin, ...words], { env: { ...process.env, ...env } }, (_, stdout, stderr) =>
    resolve(stdout + stderr),
  );
  const printed = await promise;
  if (printed === "") throw new Error(`${words.join(" ")} printed nothing.`);
  return printed;
}

/** Reads the files in which an engine stores a database, one at a time. */
export async function* readStoredFiles(database: Database): AsyncGenerator<[path: string, bytes: Buffer]> {
  for await (const path of glob(await patterns[database.engine](database))) {
    // It can be a folder, and a file can disappear while the others are read.
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) yield [path, bytes];
  }
}

const patterns = {
  sqlite: async ({ file }) => [`${file}*`],
  postgres: async (database) => {
    await database.query("checkpoint");
    const [place] = await database.query(
      "select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()",
    );
    return [`${place?.["folder"]}/base/${place?.["oid"]}/*`, `${place?.["folder"]}/pg_wal/*`];
  },
} as const satisfies Record<EngineName, (database: Database) => Promise<string[]>>;
