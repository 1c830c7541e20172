import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Database } from "../engines/database.ts";
import type { Account, Attack } from "../row.ts";
import type { ServerOptions, TargetServer } from "../servers/target-server.ts";

/** A server that a row attacks only over HTTP. */
export type HttpTarget = Pick<TargetServer, "url" | "port" | "processId" | "hasEnded"> & AsyncDisposable;

export interface TargetWithAccount {
  readonly server: HttpTarget;
  readonly account: Account;
}

/** Starts the built server on a database, or in a sabotaged run, a bare server without limits. */
export async function startTarget(
  attack: Attack,
  database: Database,
  options?: ServerOptions,
): Promise<TargetWithAccount> {
  if (attack.isSabotaged) return { server: await startBareServer(), account: { id: 1, apiKey: "none" } };
  const account = await attack.createAccount(database, { websiteLimit: 1_000_000 });
  return { server: await attack.start(database, options), account };
}

const program = fileURLToPath(new URL("./bare-program.ts", import.meta.url));

async function startBareServer(): Promise<HttpTarget> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const port = Number(line);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    processId: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: async () => {
      process.off("exit", end);
      end();
    },
  };
}
