import { Command } from "commander";
import { destination, pino } from "pino";
import { createApp } from "../app.ts";
import { ApiKeyRing } from "../auth/api-key-ring.ts";
import { hashPassword } from "../auth/hash-password.ts";
import { readConfig, type SettingName, settings } from "../config.ts";
import { serve } from "../serve.ts";
import { openStorage } from "../storage/open-storage.ts";
import { bootstrap, renderWelcome } from "./bootstrap.ts";
import type { Terminal } from "./terminal.ts";

interface StartOptions {
  readonly bootstrap?: boolean;
  readonly cliCommand: string;
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
    .option("--cli-command <command>", "what the printed terminal line begins with", "npx -y @siteward/cli")
    .action((options: StartOptions) => start(terminal, options));
}

async function start(terminal: Terminal, options: StartOptions): Promise<void> {
  const config = readConfig(terminal.environment, readFlags(options));
  // Data goes to standard output, the log to standard error.
  const logger = pino({ level: config.logLevel }, destination({ fd: 2, sync: false }));
  const storage = await openStorage({ databaseUrl: config.databaseUrl });
  const apiKeys = new ApiKeyRing(storage.apiKeys, {
    onWriteError: (error) => logger.error({ err: error }, "The times of last use could not be written."),
  });
  try {
    const firstKey = options.bootstrap === true ? await bootstrap(storage) : undefined;
    const server = await serve(createApp({ config, storage, apiKeys, hashPassword, logger }), config);
    const url = config.publicUrl ?? server.url;
    terminal.print(`Siteward is listening on ${server.url}`);
    if (firstKey !== undefined) {
      for (const line of renderWelcome({ key: firstKey, url, cliCommand: options.cliCommand })) terminal.print(line);
    }
    await terminal.untilAskedToStop();
    terminal.note("Stopping: finishing the requests under way.");
    await server.close();
  } finally {
    await apiKeys.close();
    await storage.close();
    logger.flush();
  }
}

function readFlags(options: StartOptions): Partial<Record<SettingName, string>> {
  const given = Object.entries(settings).map(([name, { flag }]) => [name, options[toCamelCase(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Commander names the value of `--database-url` databaseUrl. */
function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
