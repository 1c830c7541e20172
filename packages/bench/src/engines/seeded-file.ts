import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operate } from "@siteward/testing/servers/operate";
import { domainOf } from "../load/domain-of.ts";
import { openSqliteWebsites } from "../references/sqlite-websites.ts";

/** A SQLite file with one account, a key and websites, which no program has open. */
interface SeededFile extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  readonly apiKey: string;
}

/** As many as a bulk load would commit at once. */
const websitesPerTransaction = 5_000;

/** Creates the file with the built server, so that it has the server's schema. */
export async function createSeededFile(websiteCount: number): Promise<SeededFile> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  const file = join(folder, "seeded.db");
  await operate(`file:${file}`, ["accounts", "create", "--name", "Acme", "--email", "owner@acme.example"]);
  const key = await operate(`file:${file}`, ["keys", "create", "--account", "1", "--name", "bench"]);
  insertWebsites(file, websiteCount);
  return { folder, file, apiKey: String(key["key"]), [Symbol.asyncDispose]: async () => remove() };
}

function insertWebsites(file: string, count: number): void {
  const websites = openSqliteWebsites(file);
  for (let id = 1; id <= count; ) {
    const batchEnd = Math.min(count, id + websitesPerTransaction - 1);
    websites.inTransaction(() => {
      for (; id <= batchEnd; id += 1) websites.insert({ domain: domainOf(id), exclude_ips: ["203.0.113.0/24"] });
    });
  }
  websites.close();
}
