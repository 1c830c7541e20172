import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";

/** Starts a server at log level `trace`, with everything that it writes in files. */
export async function startCaptured(attack: Attack, database: Database, folder: string) {
  const base = join(folder, "server");
  const wrapper = ["sh", "-c", '"$@" 2>"$0.err" | tee "$0.out"', base];
  const server = await attack.start(database, { wrapper, settings: { LOG_LEVEL: "trace" } });
  return {
    server,
    readLog: () => readFile(`${base}.err`),
    readOutput: () => readFile(`${base}.out`),
  };
}
