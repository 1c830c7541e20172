import { changeProfileFile } from "../config/change-profile-file.ts";
import { environmentSettings } from "../config/environment-settings.ts";
import { readProfileFile } from "../config/profile-file.ts";
import { checkProfileName } from "../config/profiles.ts";
import { unknownProfile } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { describeProfiles } from "../login/describe-profiles.ts";
import { warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { profileView } from "../output/profile-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward profiles use`. */
export const profilesUse: CommandSetup = (command, io) => {
  command
    .argument("<name>", "name of the profile")
    .addHelpText(
      "after",
      `\n${meaningHelp}\n${examples(["siteward profiles use work", "siteward profiles use default"])}`,
    )
    .action(async (name: string) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, profileView);
      const { profiles } = await readProfileFile(io);
      if (!profiles.byName.has(checkProfileName(name))) throw unknownProfile("not_found", name, profiles);
      await changeProfileFile(io, (latest) => ({ ...latest, current: name }));
      for (const record of describeProfiles({ ...profiles, current: name }))
        if (record.name === name) await output.one(record);
      const { profile = name } = environmentSettings(io);
      if (profile !== name)
        await warn(io, flags, `SITEWARD_PROFILE is set to "${profile}" and overrides the current profile.`);
    });
};

const meaningHelp =
  "Commands use the current profile if neither --profile nor SITEWARD_PROFILE names another.\n" +
  "Until one is chosen, it is the profile `default`.";
