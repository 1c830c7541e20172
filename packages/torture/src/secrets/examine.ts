import { execFile } from "node:child_process";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";
import type { Planted } from "./planted.ts";

/** Runs `doctor` with a password in each setting that can contain one, valid or not, and returns all that it prints. */
export async function examineWithSecrets(attack: Attack, database: Database, planted: Planted): Promise<Buffer> {
  const secret = () => planted.text("a setting of doctor");
  const own = new URL(database.url);
  if (own.protocol !== "file:") own.password = secret();
  const settings: readonly Record<string, string>[] = [
    { DATABASE_URL: own.href, DATABASE_REPLICA_URLS: `${own.href},postgres://u:${secret()}@127.0.0.1:1/d` },
    { SITEWARD_PUBLIC_URL: `https://u:${secret()}@a.example`, PGPASSWORD: secret() },
    { SITEWARD_PUBLIC_URL: `ftp://u:${secret()}@a.example` },
    ...["postgres:/", "postgres://", "mysql://"].map((start) => ({
      DATABASE_URL: `${start}u:${secret()}@127.0.0.1:1/d`,
    })),
  ];
  const runs = settings.flatMap((one) => [[], ["--json"]].map((words) => examine(attack, database, one, words)));
  return Buffer.concat(await Promise.all(runs));
}

/** It fails if it finds a fault, as most of these settings are. */
function examine(
  { serverBin }: Attack,
  { url }: Database,
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const env = { ...process.env, DATABASE_URL: url, ...settings };
  execFile(process.execPath, [serverBin, "doctor", ...words], { env }, (error, stdout, stderr) => {
    if (stdout === "") reject(error ?? new Error("doctor printed nothing."));
    else resolve(Buffer.from(stdout + stderr));
  });
  return promise;
}
