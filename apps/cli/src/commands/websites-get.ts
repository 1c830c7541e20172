import { connect } from "../client/connect.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseId } from "../flags/option-values.ts";
import { openOutput } from "../output/output.ts";
import { websiteView } from "../output/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward websites get`. */
export const websitesGet: CommandSetup = (command, io) => {
  command
    .argument("<id>", "ID of the website", parseId)
    .addHelpText("after", examples(["siteward websites get 7", "siteward websites get 7 --fields exclude_ips -o csv"]))
    .action(async (id: number) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, websiteView);
      const siteward = await connect(io, flags);
      await output.one(await siteward.websites.get(id));
    });
};
