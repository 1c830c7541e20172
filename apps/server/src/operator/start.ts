import { Command } from "commander";
import { createApp } from "../app.ts";
import { ApiKeyRing } from "../auth/api-key-ring.ts";
import { hashPassword } from "../auth/hash-password.ts";
import { readConfig, type SettingName, settings } from "../config.ts";
import { createLog } from "../log.ts";
import { serve } from "../serve.ts";
import { bootstrap, renderWelcome } from "./bootstrap.ts";
import { openOperatorStorage } from "./open-operator-storage.ts";
import { printResult, type Terminal } from "./terminal.ts";

interface StartOptions {
  readonly bootstrap?: boolean;
  readonly json?: boolean;
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
    .option("--json", "print only JSON on standard output: where it listens, and the first key if it was made")
    .option("--cli-command <command>", "what the printed terminal line begins with", "npx -y @siteward/cli")
    .action((options: StartOptions) => start(terminal, options));
}

async function start(terminal: Terminal, options: StartOptions): Promise<void> {
  const config = readConfig(terminal.environment, readFlags(options));
  // Data goes to standard output, the log to standard error.
  const log = createLog(config.logLevel, terminal.log);
  const { logger } = log;
  const storage = await openOperatorStorage({ databaseUrl: config.databaseUrl });
  const apiKeys = new ApiKeyRing(storage.apiKeys, {
    onWriteError: (error) => logger.error({ err: error }, "The times of last use could not be written."),
  });
  try {
    const server = await serve(createApp({ config, storage, apiKeys, hashPassword, log }), config, { logger });
    try {
      // Only once it listens: a key that was made but not shown, because the port was in use, would be lost.
      const key = options.bootstrap === true ? await bootstrap(storage) : undefined;
      announce(terminal, options, { listening: server.url, url: config.publicUrl ?? server.url, key });
      await terminal.untilAskedToStop();
      terminal.note("Stopping: finishing the requests under way.");
    } finally {
      await server.close();
    }
  } finally {
    await apiKeys.close();
    await storage.close().finally(log.flush);
  }
}

function announce(
  terminal: Terminal,
  options: StartOptions,
  { listening, url, key }: { listening: string; url: string; key: string | undefined },
): void {
  const welcome = key === undefined ? [] : renderWelcome({ key, url, cliCommand: options.cliCommand });
  printResult(terminal, options, { url, key: key ?? null }, [`Siteward is listening on ${listening}`, ...welcome]);
}

function readFlags(options: StartOptions): Partial<Record<SettingName, string>> {
  const given = Object.entries(settings).map(([name, { flag }]) => [name, options[toCamelCase(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Commander names the value of `--database-url` databaseUrl. */
function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
