import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { openTerminal } from "@siteward/testing/open-terminal";
import { startServer } from "@siteward/torture/target-server";
import { serverBin } from "./built-server.ts";
import { repositoryRoot } from "./documented-pages.ts";
import type { World } from "./line-worlds.ts";

/** How a command line ended. */
export interface LineEnd {
  readonly exitCode: number | null;
  /** What it printed on both streams. */
  readonly output: string;
}

/** A prompt, and what a person types at it. */
export type Answer = readonly [prompt: string, keys: string];

/**
 * Runs a command line in a shell, in its world, next to a server of its database. See `runLineAt`.
 */
export async function runLine(line: string, world: World, answers: readonly Answer[] = []): Promise<LineEnd> {
  await using server = await startServer(serverBin, world.databaseUrl);
  return await runLineAt(server.url, line, world, answers);
}

/**
 * Runs a command line in a shell, in its world, with a server. The addresses and the prefix of the pages are replaced by those of the
 * server and the world. The server takes the place of the default address. A line of the repository runs in its folder.
 *
 * @param answers if there are some, the line runs in a terminal
 */
export async function runLineAt(
  url: string,
  line: string,
  world: World,
  answers: readonly Answer[] = [],
): Promise<LineEnd> {
  const script = line
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/siteward\.example\.com/g, url)
    .replaceAll("swk_Ab3dEf9h", world.keyPrefix);
  const isOfRepository = /^pnpm /.test(line);
  const env = {
    ...world.env,
    SITEWARD_BASE_URL: url,
    ...(isOfRepository ? { DATABASE_URL: world.databaseUrl } : {}),
  };
  const folder = isOfRepository ? repositoryRoot : world.folder;
  const command = ["bash", "-e", "-o", "pipefail", "-c", script] as const;
  if (answers.length > 0) return await runInTerminal(command, { env: { ...env, TERM: "xterm" }, folder }, answers);
  const child = spawn(command[0], command.slice(1), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { exitCode, output: stdout + stderr };
}

async function runInTerminal(
  command: readonly [string, ...string[]],
  settings: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
  answers: readonly Answer[],
): Promise<LineEnd> {
  using terminal = openTerminal(command, settings);
  for (const [prompt, keys] of answers) {
    await terminal.waitFor(prompt);
    terminal.type(keys);
  }
  return { exitCode: await terminal.exitCode, output: terminal.screen() };
}
