import { readProfileFile } from "../client/profiles.ts";
import { environmentSettings, profileName } from "../client/resolve.ts";
import { removeProfile } from "../client/stored-keys.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { openOutput } from "../output/output.ts";
import { removalView } from "../output/profile-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward logout`. */
export const logout: CommandSetup = (command, io) => {
  command
    .addHelpText("after", `\n${meaningHelp}\n${examples(["siteward logout", "siteward logout --profile work"])}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, removalView);
      const { profiles } = await readProfileFile(io);
      const profile = profileName(flags, environmentSettings(io), profiles);
      await output.one({ profile, removed: await removeProfile(io, profile) });
    });
  return removalView;
};

const meaningHelp = `\
Only this machine forgets the key. The key stays valid until the operator
revokes it.`;
