import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";

/** What a command printed, and how it ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a folder as a user does who has the Node of these tests, and no program of ours. */
export function tryIn(folder: string, settings: Readonly<Record<string, string>>, ...command: string[]): Ended {
  const [program = "", ...words] = command;
  const env = userEnvironment(settings);
  const { error, ...ended } = spawnSync(program, words, { cwd: folder, env, encoding: "utf8", input: "" });
  if (error !== undefined) throw error;
  return ended;
}

/** Runs a command that must succeed, and returns what it printed on standard output. */
export function runIn(folder: string, settings: Readonly<Record<string, string>>, ...command: string[]): string {
  const { status, stdout, stderr } = tryIn(folder, settings, ...command);
  if (status !== 0) throw new Error(`\`${command.join(" ")}\` ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

export function userEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const quiet = { npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" };
  const environment = newcomerEnvironment({ ...quiet, npm_config_prefer_offline: "true", ...settings });
  return { ...environment, PATH: `${dirname(process.execPath)}:${environment["PATH"]}` };
}

/**
 * Returns the environment of a user who has not run anything of ours yet. The package manager that runs these tests sets
 * variables that stop installs and point to its own programs. A new user's shell does not have them.
 */
export function newcomerEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !isOfPackageManager(name));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added };
}

function isOfPackageManager(name: string): boolean {
  return /^(npm_|pnpm_|vitest|turbo_|node_env$|node_path$|init_cwd$)/i.test(name) && !/registry$/i.test(name);
}
