import { Command } from "commander";
import { readConfig, type SettingName, settings } from "../../config.ts";
import type { Terminal } from "../io/terminal.ts";
import type { AnnounceOptions } from "../serving/announce.ts";
import { serveAlone } from "../serving/serve-alone.ts";
import { serveAsWorker } from "../serving/serve-as-worker.ts";
import { serveWithWorkers } from "../serving/serve-with-workers.ts";

interface StartOptions extends AnnounceOptions {
  readonly [flag: string]: string | boolean | undefined;
}

/** `start`: serves until asked to stop, then lets requests under way finish. */
export function startCommand(terminal: Terminal): Command {
  const command = new Command("start").description("serve the API until asked to stop");
  for (const [name, { flag, meaning, default: value }] of Object.entries(settings)) {
    command.option(`--${flag} <value>`, `${meaning} (${name}${value === "" ? "" : `; ${value}`})`);
  }
  return command
    .option("--bootstrap", "make the first account and key if there is none, and print the key once")
    .option("--json", "print only JSON on standard output: where it listens, and the first key if it was made")
    .option("--cli-command <command>", "what the printed terminal line begins with", "npx -y @siteward/cli")
    .action((options: StartOptions) => start(terminal, options));
}

async function start(terminal: Terminal, options: StartOptions): Promise<void> {
  const config = readConfig(terminal.environment, readFlags(options));
  if (config.workers === 1) return serveAlone(terminal, options, config);
  const cluster = await terminal.openCluster();
  return cluster.self === undefined
    ? serveWithWorkers(terminal, options, { config, cluster })
    : serveAsWorker(terminal, config, cluster.self);
}

function readFlags(options: StartOptions): Partial<Record<SettingName, string>> {
  const given = Object.entries(settings).map(([name, { flag }]) => [name, options[toCamelCase(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Commander names the value of `--database-url` databaseUrl. */
function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
