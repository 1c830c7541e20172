import { Command } from "commander";
import { readConfig, type SettingName, settings } from "../../config.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import type { AnnounceOptions } from "../serving/announce.ts";
import { serveAsWorker } from "../serving/serve-as-worker.ts";
import { serveInOneProcess } from "../serving/serve-in-one-process.ts";
import { serveWithWorkers } from "../serving/serve-with-workers.ts";

interface StartOptions extends AnnounceOptions {
  readonly [flag: string]: string | boolean | undefined;
}

/** Returns the command `start`, which serves until it is stopped, and then lets requests in progress finish. */
export function startCommand(context: CommandContext): Command {
  const command = new Command("start").description("serve the API until stopped");
  for (const [name, { flag, meaning, default: value }] of Object.entries(settings)) {
    command.option(`--${flag} <value>`, `${meaning} (${name}${value === "" ? "" : `; ${value}`})`);
  }
  return command
    .option("--bootstrap", "create an account and an API key if no account exists, and print the key once")
    .option(
      "--bootstrap-key-file <file>",
      "write this key to a new file that only you can read, instead of printing it",
    )
    .option("--json", "print only JSON on standard output: the URL, and the API key if one was created")
    .option("--cli-command <command>", "command prefix for the printed CLI example", "npx -y @siteward/cli")
    .option("--server-command <command>", "command prefix for the printed operator example", "npx -y @siteward/server")
    .action((options: StartOptions) => start(context, options));
}

async function start(context: CommandContext, options: StartOptions): Promise<void> {
  if (options.bootstrapKeyFile !== undefined && options.bootstrap !== true) {
    throw new UsageError("--bootstrap-key-file is used together with --bootstrap.");
  }
  const config = readConfig(context.environment, readFlags(options));
  if (config.workers === 1) return serveInOneProcess(context, options, config);
  const cluster = await context.openCluster();
  return cluster.primary === undefined
    ? serveWithWorkers(context, options, { config, cluster })
    : serveAsWorker(context, config, cluster.primary);
}

function readFlags(options: StartOptions): Partial<Record<SettingName, string>> {
  const given = Object.entries(settings).map(([name, { flag }]) => [name, options[toCamelCase(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Commander names the value of `--database-url` databaseUrl. */
function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
