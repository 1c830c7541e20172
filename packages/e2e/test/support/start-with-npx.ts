import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { userEnvironment } from "./run-in.ts";

/** A server that was started with the first command of its README, and the key that it printed. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
}

export async function startWithNpx(folder: string): Promise<StartedServer> {
  // A process group of its own, so that npx and the server that it runs can be stopped together, as Ctrl-C does.
  const child = spawn("npx", ["@siteward/server", "start", "--bootstrap", "--port", "0", "--json"], {
    cwd: folder,
    env: userEnvironment({ LOG_LEVEL: "warn" }),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => Promise.reject(new Error(`npx ended with ${code}.`)));
  failed.catch(() => {});
  const [line]: string[] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), failed]);
  const { url, key }: { url: string; key: string } = JSON.parse(line ?? "{}");
  return {
    url,
    apiKey: key,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      await ended;
    },
  };
}
