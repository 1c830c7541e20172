import { connect } from "../client/connect.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { accountView } from "../output/account-view.ts";
import { openOutput } from "../output/output.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward account`. */
export const accountGet: CommandSetup = (command, io) => {
  command
    .addHelpText("after", examples(["siteward account", "siteward account --fields websites --output yaml"]))
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, accountView);
      const siteward = await connect(io, flags);
      await output.one(await siteward.account.get());
    });
  return accountView;
};
