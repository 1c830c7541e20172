import { Command } from "commander";
import { settings } from "../../config.ts";

/** A command on the database: each takes which one, and whether to print JSON. It works while the server runs. */
export function operatorCommand(name: string, description: string): Command {
  const { flag, meaning } = settings.DATABASE_URL;
  return new Command(name)
    .description(description)
    .option(`--${flag} <url>`, `${meaning} (DATABASE_URL; ${settings.DATABASE_URL.default})`)
    .option("--json", "print only JSON on standard output");
}
