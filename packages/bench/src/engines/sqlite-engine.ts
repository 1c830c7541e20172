import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchEngine } from "./bench-engine.ts";
import { createSeededFile } from "./seeded-file.ts";

/** Each database is a copy of one file. */
export async function startSqliteEngine(websiteCount: number): Promise<BenchEngine> {
  const seeded = await createSeededFile(websiteCount);
  let copies = 0;
  return {
    name: "sqlite",
    createDatabase: async () => {
      copies += 1;
      const file = join(seeded.folder, `copy-${copies}.db`);
      await copyFile(seeded.file, file);
      return { url: `file:${file}`, apiKey: seeded.apiKey, websiteCount };
    },
    // The engine runs in the server.
    cpuSeconds: () => 0,
    [Symbol.asyncDispose]: () => seeded[Symbol.asyncDispose](),
  };
}
