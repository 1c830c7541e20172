import { Command } from "commander";
import { readConfig } from "../../config.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { addSettingFlags, readSettingFlags, type SettingOptions } from "../options/setting-flags.ts";
import type { AnnounceOptions } from "../serving/announce.ts";
import { serveAsWorker } from "../serving/serve-as-worker.ts";
import { serveInOneProcess } from "../serving/serve-in-one-process.ts";
import { serveWithWorkers } from "../serving/serve-with-workers.ts";

interface StartOptions extends AnnounceOptions, SettingOptions {}

/** Returns the command `start`, which serves until it is stopped, and then lets requests in progress finish. */
export function startCommand(context: CommandContext): Command {
  return addSettingFlags(new Command("start").description("serve the API until stopped"))
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
  const config = readConfig(context.environment, readSettingFlags(options));
  if (config.workers === 1) return serveInOneProcess(context, options, config);
  const cluster = await context.openCluster();
  return cluster.primary === undefined
    ? serveWithWorkers(context, options, { config, cluster })
    : serveAsWorker(context, config, cluster.primary);
}
