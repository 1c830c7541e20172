import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@siteward/testing/servers/operate";
import { domainOf } from "../load/domain-of.ts";
import { openSqliteWebsites } from "../references/sqlite-websites.ts";

/** A SQLite file with one account, a key and websites, which no program has open. */
interface SeededFile extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  readonly apiKey: string;
}

/** The ids of the websites are 1 to this number. */
export const websiteCount = 1_000;

/** Creates the file with the built server, so that it has the server's schema. */
export async function createSeededFile(count = websiteCount): Promise<SeededFile> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  const file = join(folder, "seeded.db");
  const { apiKey } = await createAccount(`file:${file}`);
  const websites = openSqliteWebsites(file);
  websites.inTransaction(() => {
    for (let id = 1; id <= count; id += 1) {
      websites.insert({ domain: domainOf(id), exclude_ips: ["203.0.113.0/24"] });
    }
  });
  websites.close();
  return { folder, file, apiKey, [Symbol.asyncDispose]: async () => remove() };
}
