import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A real package registry on this machine, for the packages of the scope `@siteward`. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
  /** The lines of an `.npmrc` with which npm and pnpm install `@siteward` packages from it, and others from where they always do. */
  readonly npmrc: string;
  /** Settings with which npm and pnpm read and publish all packages here, and reach no other registry. */
  readonly publishSettings: Readonly<Record<string, string>>;
}

const program = fileURLToPath(new URL("local-registry-program.ts", import.meta.url));

export async function startLocalRegistry(): Promise<LocalRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-registry-"));
  const child = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The registry ended.")));
  ended.catch(() => {});
  const [url]: string[] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  if (url === undefined) throw new Error("The registry printed no URL.");
  // npm publishes nothing without a token, and this registry accepts any.
  const userSettings = join(folder, "npmrc");
  writeFileSync(userSettings, `${url.replace("http:", "")}:_authToken=none\n`);
  return {
    url,
    npmrc: `@siteward:registry=${url}\n`,
    publishSettings: { npm_config_registry: url, npm_config_userconfig: userSettings },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended.catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
