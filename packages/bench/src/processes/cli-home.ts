import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home of a user, which is deleted after use. What Node compiles is kept in it, as it is for users. */
export interface CliHome extends Disposable {
  readonly path: string;
  /** Returns the environment of a command that connects to a server. */
  readonly environmentOf: (server: { readonly url: string; readonly apiKey: string }) => NodeJS.ProcessEnv;
}

export function createCliHome(): CliHome {
  const path = mkdtempSync(join(tmpdir(), "siteward-bench-"));
  const { PATH } = process.env;
  return {
    path,
    environmentOf: ({ url, apiKey }) => ({ PATH, HOME: path, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: url }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
