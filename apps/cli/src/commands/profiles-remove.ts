import { readProfileFile } from "../config/profile-file.ts";
import { checkProfileName } from "../config/profiles.ts";
import { unknownProfileToRemove } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { removeProfile } from "../login/remove-profile.ts";
import { openOutput } from "../output/output.ts";
import { removalView } from "../output/profile-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward profiles remove`. */
export const profilesRemove: CommandSetup = (command, io) => {
  command
    .argument("<name>", "name of the profile")
    .addHelpText("after", `\n${meaningHelp}\n${examples(["siteward profiles remove work"])}`)
    .action(async (name: string) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, removalView);
      const { profiles } = await readProfileFile(io);
      if (!profiles.byName.has(checkProfileName(name))) throw unknownProfileToRemove(name, profiles);
      await output.one({ profile: name, removed: await removeProfile(io, name) });
    });
};

const meaningHelp =
  "Removes the profile with its API key, as `siteward logout` does. The key stays valid until the operator revokes it.";
