import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";

/** Where a login stores API keys. With `auto`, that is the keyring if it can be used, else the profile file. */
export type KeyStoreSetting = "auto" | "keyring" | "file";

const settings: Readonly<Record<KeyStoreSetting, true>> = { auto: true, keyring: true, file: true };

/**
 * Returns the value of `SITEWARD_KEY_STORE`; `auto` if it is not set.
 *
 * @throws CliError `usage`
 */
export function keyStoreSetting({ env }: Pick<Io, "env">): KeyStoreSetting {
  const { SITEWARD_KEY_STORE: text = "" } = env;
  if (text === "") return "auto";
  if (isKeyStoreSetting(text)) return text;
  throw new CliError("usage", `SITEWARD_KEY_STORE is "${text}". Set it to auto, keyring or file.`);
}

function isKeyStoreSetting(text: string): text is KeyStoreSetting {
  return Object.hasOwn(settings, text);
}
