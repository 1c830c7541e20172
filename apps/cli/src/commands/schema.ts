import siteFileSchema from "../../siteward.schema.json" with { type: "json" };
import { writeText } from "../process/io.ts";
import type { CommandDefinition } from "./command.ts";

/** `siteward schema`. */
export const command: CommandDefinition = {
  help: `\
Editors complete and check a site file by this schema. A file from \`siteward
export\` names its address. To use a copy, name its path in the first line of the
file:

  # yaml-language-server: $schema=siteward.schema.json`,
  examples: ["siteward schema > siteward.schema.json"],
  run: ({ io }) => writeText(io.stdout, `${JSON.stringify(siteFileSchema, undefined, 2)}\n`),
};
