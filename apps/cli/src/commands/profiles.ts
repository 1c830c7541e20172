import { changeProfileFile, checkProfileName, describeProfiles, readProfileFile } from "../client/profiles.ts";
import { environmentSettings, unknownProfile } from "../client/resolve.ts";
import { removeProfile } from "../client/stored-keys.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { profileView, removalView } from "../output/profile-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward profiles list`. */
export const profilesList: CommandSetup = (command, io) => {
  command
    .addHelpText("after", `\n${listHelp}\n${examples(["siteward profiles list", "siteward profiles list -o json"])}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, profileView);
      const { path, profiles } = await readProfileFile(io);
      await output.list(describeProfiles(profiles));
      if (profiles.byName.size === 0) {
        await note(io, "No profiles yet. Create one with `siteward login`.");
        return;
      }
      await note(io, `Stored in ${path}.`);
      const { profile } = environmentSettings(io);
      if (profile !== undefined)
        await note(io, `SITEWARD_PROFILE selects "${profile}" instead of the current profile.`);
    });
  return profileView;
};

const listHelp = `\
Each \`siteward login\` stores a profile. Its API key is not shown.`;

/** Sets up `siteward profiles use`. */
export const profilesUse: CommandSetup = (command, io) => {
  command
    .argument("<name>", "name of the profile")
    .addHelpText("after", `\n${useHelp}\n${examples(["siteward profiles use work", "siteward profiles use default"])}`)
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
  return profileView;
};

const useHelp = `\
Commands use the chosen profile, unless --profile or SITEWARD_PROFILE names
another. Until you choose one, they use the profile \`default\`.`;

/** Sets up `siteward profiles remove`. */
export const profilesRemove: CommandSetup = (command, io) => {
  command
    .argument("<name>", "name of the profile")
    .addHelpText("after", `\n${removeHelp}\n${examples(["siteward profiles remove work"])}`)
    .action(async (name: string) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, removalView);
      const { profiles } = await readProfileFile(io);
      if (!profiles.byName.has(checkProfileName(name))) {
        throw unknownProfile("not_found", name, profiles, "List the profiles with `siteward profiles list`.");
      }
      await output.one({ profile: name, removed: await removeProfile(io, name) });
    });
  return removalView;
};

const removeHelp = `\
Only this machine forgets the key. The key stays valid until the operator
revokes it.`;
