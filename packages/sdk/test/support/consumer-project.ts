import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The folder of the package, with its build in `dist`. */
export const packageRoot: string = dirname(dirname(import.meta.dirname));

/** A project of a user who installed the built package. */
export interface ConsumerProject extends AsyncDisposable {
  readonly path: string;
}

export async function createConsumerProject(): Promise<ConsumerProject> {
  const path = await mkdtemp(join(tmpdir(), "siteward-sdk-"));
  const installed = join(path, "node_modules/@siteward/sdk");
  await cp(join(packageRoot, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(packageRoot, "package.json"), join(installed, "package.json"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
