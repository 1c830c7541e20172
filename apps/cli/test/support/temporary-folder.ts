import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is deleted when the test ends. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes a file, and returns its path. */
  readonly write: (name: string, content: string | Uint8Array, mode?: number) => Promise<string>;
  readonly read: (name: string) => Promise<string>;
}

/** Creates an empty folder for one test. */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "siteward-cli-"));
  return {
    path,
    write: async (name, content, mode = 0o600) => {
      await writeFile(join(path, name), content, { mode });
      return join(path, name);
    },
    read: (name) => readFile(join(path, name), "utf8"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
