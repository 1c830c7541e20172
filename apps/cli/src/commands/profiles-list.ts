import { Readable } from "node:stream";
import { environmentSettings } from "../config/environment-settings.ts";
import { readProfileFile } from "../config/profile-file.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { describeProfiles } from "../login/describe-profiles.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { profileView } from "../output/profile-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward profiles list`. */
export const profilesList: CommandSetup = (command, io) => {
  command
    .addHelpText("after", `\n${resultHelp}\n${examples(["siteward profiles list", "siteward profiles list -o json"])}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, profileView);
      const { path, profiles } = await readProfileFile(io);
      await output.list(Readable.from(describeProfiles(profiles)));
      if (profiles.byName.size === 0) {
        await note(io, "No profiles yet. Create one with `siteward login`.");
        return;
      }
      await note(io, `Stored in ${path}.`);
      const { profile } = environmentSettings(io);
      if (profile !== undefined)
        await note(io, `SITEWARD_PROFILE selects "${profile}" instead of the current profile.`);
    });
};

const resultHelp = "Lists the profiles that `siteward login` has stored, without their API keys.";
