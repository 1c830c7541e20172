import siteFileSchema from "../../siteward.schema.json" with { type: "json" };
import { writeText } from "../process/io.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward schema`. */
export const schema: CommandSetup = (command, io) => {
  command
    .addHelpText("after", `\n${meaningHelp}\n${examples(["siteward schema > siteward.schema.json"])}`)
    .action(async () => {
      await writeText(io.stdout, `${JSON.stringify(siteFileSchema, undefined, 2)}\n`);
    });
};

const meaningHelp = `\
Editors complete and check a site file by this schema. A file from \`siteward
export\` names its address. To use a copy, name its path in the first line of the
file:

  # yaml-language-server: $schema=siteward.schema.json`;
