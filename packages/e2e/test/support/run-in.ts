import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { newcomerEnvironment } from "./newcomer-environment.ts";

/** What a command printed, and how it ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a folder as a user does who has the Node and the pnpm of these tests, and no program of ours. */
export function tryIn(folder: string, settings: Readonly<Record<string, string>>, command: string[]): Ended {
  const [program = "", ...commandLine] = command;
  return spawnSync(program, commandLine, {
    cwd: folder,
    env: userEnvironment(settings),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command that must succeed, and returns what it printed on standard output. */
export function runIn(folder: string, settings: Readonly<Record<string, string>>, ...command: string[]): string {
  const { status, stdout, stderr } = tryIn(folder, settings, command);
  if (status !== 0) throw new Error(`\`${command.join(" ")}\` ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

export function userEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = (process.env["PATH"] ?? "").split(delimiter);
  const path = [dirname(process.execPath), ...inherited.filter((folder) => !existsSync(join(folder, "siteward")))];
  const quick = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  return newcomerEnvironment({ PATH: path.join(delimiter), ...quick, ...settings });
}
