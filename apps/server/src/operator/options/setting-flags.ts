import type { Command } from "commander";
import { type SettingName, settings } from "../../config.ts";

/** The options of a command line, as commander returns them. */
export interface SettingOptions {
  readonly [flag: string]: string | boolean | undefined;
}

/** Adds a flag for each setting of the server. */
export function addSettingFlags(command: Command): Command {
  for (const [name, { flag, meaning, default: value }] of Object.entries(settings)) {
    command.option(`--${flag} <value>`, `${meaning} (${name}${value === "" ? "" : `; ${value}`})`);
  }
  return command;
}

/** Returns the settings that the command line has. */
export function readSettingFlags(options: SettingOptions): Partial<Record<SettingName, string>> {
  const given = Object.entries(settings).map(([name, { flag }]) => [name, options[toCamelCase(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Commander names the value of `--database-url` databaseUrl. */
function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
