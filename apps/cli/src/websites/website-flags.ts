import { Privacy, type UpdateWebsite } from "@siteward/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { readSecretFromStdin } from "../client/secrets.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { refuseSharedStdin } from "../flags/parse.ts";
import type { Io } from "../process/io.ts";
import { splitEntries } from "./field-reading.ts";
import { findLevel, joinChoices, type Levels, type Setting, settings, switchLevels } from "./settings.ts";

/** The flags of the settings, as commander parsed them, and that of the password. */
export interface WebsiteFlags extends GlobalFlags {
  readonly passwordStdin?: true;
}

/** The flag of each setting. */
const settingFlags = settings.map((setting) => ({ name: setting.name, option: optionOf(setting) }));

/** Declares the flags for the fields of an update, which a create has too. */
export function addWebsiteFlags(command: Command): Command {
  for (const { option } of settingFlags) command.addOption(option);
  return command.option("--password-stdin", "read the password from standard input");
}

/**
 * Returns the fields that were given as flags, and no others.
 *
 * @throws CliError `usage` if the password cannot be read
 */
export async function readWebsiteFlags(io: Io, flags: WebsiteFlags): Promise<UpdateWebsite> {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  const stated = settingFlags
    .map(({ name, option }) => [name, values[option.attributeName()]] as const)
    .filter(([, value]) => value !== undefined);
  // The parser of each flag returns a value of its setting.
  const fields: UpdateWebsite = Object.fromEntries(stated);
  if (flags.passwordStdin !== true) return fields;
  refuseSharedStdin("--password-stdin", flags);
  return { ...fields, password: await readSecretFromStdin(io, "--password-stdin") };
}

/** Whether these fields set the privacy level "password" without sending a password. */
export function lacksPassword({ privacy, password }: UpdateWebsite): boolean {
  return privacy === Privacy.Password && password === undefined;
}

function optionOf(setting: Setting): Option {
  const name = `--${setting.name.replaceAll("_", "-")}`;
  switch (setting.kind) {
    case "switch":
      return levelOption(`${name} <switch>`, setting.help, switchLevels);
    case "level":
      return levelOption(`${name} <level>`, setting.help, setting.levels);
    case "list":
      return listOption(`${name} <${setting.entries}>`, setting.help);
  }
}

/** Returns an option that takes the name of a level or its number. Help and completion show the names. */
export function levelOption(syntax: string, description: string, levels: Levels): Option {
  return new Option(syntax, description).choices(Object.values(levels)).argParser((text): number => {
    const level = findLevel(levels, text.toLowerCase());
    if (level !== undefined) return level;
    const choices = Object.entries(levels).map(([number, name]) => `${name} (${number})`);
    throw new InvalidArgumentError(`Use ${joinChoices(choices)}.`);
  });
}

/** Returns an option that takes entries of a list. An empty string adds none. */
export function listOption(syntax: string, description: string): Option {
  const collect = (text: string, earlier: readonly string[] = []): string[] => [...earlier, ...splitEntries(text)];
  return new Option(syntax, `${description}; comma-separated, or repeat the flag`).argParser(collect);
}
