import { environmentSettings } from "../config/environment-settings.ts";
import { readProfileFile, writeProfileFile } from "../config/profile-file.ts";
import { profileName } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { openOutput } from "../output/output.ts";
import type { View } from "../output/view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const logoutView: View = {
  profile: { title: "Profile", inList: true },
  removed: { title: "Removed", inList: true, show: (value) => (value === true ? "yes" : "no (profile not found)") },
};

/** Sets up `siteward logout`. */
export const logout: CommandSetup = (command, io) => {
  command
    .addHelpText("after", `\n${meaningHelp}\n${examples(["siteward logout", "siteward logout --profile work"])}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, logoutView);
      const { path, profiles } = await readProfileFile(io);
      const profile = profileName(flags, environmentSettings(io));
      const removed = profiles.has(profile);
      if (removed) await writeProfileFile(path, new Map([...profiles].filter(([name]) => name !== profile)));
      await output.one({ profile, removed });
    });
};

const meaningHelp = "Removes the key from this machine only. The key stays valid until the operator revokes it.";
