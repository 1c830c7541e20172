import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BenchEngine } from "./bench-engine.ts";
import { createSeededFile } from "./seeded-file.ts";

const ignoreInserts = "create trigger ignored before insert on audit_entries begin select raise(ignore); end";

/** Each database is a copy of one file. */
export async function startSqliteEngine(): Promise<BenchEngine> {
  const seeded = await createSeededFile();
  let copies = 0;
  return {
    name: "sqlite",
    createDatabase: async (websiteCount) => {
      seeded.grow(websiteCount);
      copies += 1;
      const file = join(seeded.folder, `copy-${copies}.db`);
      await copyFile(seeded.file, file);
      return {
        url: `file:${file}`,
        apiKey: seeded.apiKey,
        websiteCount,
        diskBytes: async () => (await stat(file)).size,
        keepAuditEntries: async (isKept) => {
          // A server may be writing what it stores later than its answers.
          using database = new DatabaseSync(file, { timeout: 5_000 });
          database.exec("drop trigger if exists ignored");
          if (!isKept) database.exec(ignoreInserts);
        },
      };
    },
    // The engine runs in the server.
    cpuSeconds: () => 0,
    [Symbol.asyncDispose]: () => seeded[Symbol.asyncDispose](),
  };
}
