import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProcess } from "@siteward/testing/start-process";
import { repositoryRoot } from "../documented-pages.ts";

/** The certificate of `localhost`, and the authority that clients trust. */
export const tlsFolder = join(repositoryRoot, "apps/server/test/tls");

/** What a test puts in place of the addresses in a configuration. */
export interface FrontAddresses {
  /** Where the proxy listens. */
  readonly port: number;
  /** The address and port of the server. */
  readonly target: string;
  readonly folder: string;
}

/** A kind of proxy: its program, and how its configuration follows from the one in `deploy`. */
export interface FrontProgram {
  readonly name: "caddy" | "nginx";
  /** Writes the configuration into the folder, and returns the command line. */
  readonly prepare: (addresses: FrontAddresses) => readonly [string, ...string[]];
}

/** A proxy with TLS. */
export interface FrontProxy extends AsyncDisposable {
  readonly port: number;
}

export function readFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

/** Replaces each text, which must be there: a configuration that has changed must not run with the addresses of a real server. */
export function replaceEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`The configuration does not contain ${from}.`);
    return current.replaceAll(from, to);
  }, text);
}

/** Starts a proxy, and waits until it listens. */
export async function startFrontProxy(
  { prepare }: FrontProgram,
  { port, target }: Omit<FrontAddresses, "folder">,
): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-front-"));
  const [command, ...words] = prepare({ port, target, folder });
  const path = [process.env["PATH"], "/usr/sbin"].join(delimiter);
  const env = { PATH: path, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const running = startProcess([command, ...words], { cwd: folder, env, stdin: "" });
  while (!(await accepts(port))) {
    if (running.child.exitCode !== null) throw new Error(`${command} did not start:\n${running.written.stderr}`);
    await sleep(20);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
