import {
  changeProfileFile,
  checkProfileName,
  defaultProfileName,
  type Profiles,
  readProfileFile,
} from "../client/profiles.ts";
import { environmentSettings, profileName, unknownProfile } from "../client/resolve.ts";
import { removeProfile } from "../client/stored-keys.ts";
import { note, warn } from "../output/notices.ts";
import type { Column, View } from "../output/view.ts";
import type { CommandDefinition } from "./command.ts";

/** Returns all profiles as commands show them, without their keys, in order of their names. */
function describeProfiles({ byName, current = defaultProfileName }: Profiles) {
  return [...byName]
    .map(([name, profile]) => ({
      name,
      current: name === current,
      base_url: profile.base_url,
      key_store: "api_key" in profile ? "file" : "keyring",
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const profileView = {
  name: { title: "Profile", inList: true },
  current: { title: "Current", inList: true, show: (value) => (value === true ? "yes" : "") },
  base_url: { title: "Service", inList: true },
  key_store: { title: "API key in", inList: true },
} satisfies Record<keyof ReturnType<typeof describeProfiles>[number], Column>;

const removalView: View = {
  profile: { title: "Profile", inList: true },
  removed: { title: "Removed", inList: true, show: (value) => (value === true ? "yes" : "no (profile not found)") },
};

/** `siteward profiles list`. */
export const profilesList: CommandDefinition = {
  help: "Each `siteward login` stores a profile. Its API key is not shown.",
  examples: ["siteward profiles list", "siteward profiles list -o json"],
  view: profileView,
  run: async ({ io, openOutput }) => {
    const output = openOutput();
    const { path, profiles } = await readProfileFile(io);
    await output.list(describeProfiles(profiles));
    if (profiles.byName.size === 0) return await note(io, "No profiles yet. Create one with `siteward login`.");
    await note(io, `Stored in ${path}.`);
    const { profile } = environmentSettings(io);
    if (profile !== undefined) await note(io, `SITEWARD_PROFILE selects "${profile}" instead of the current profile.`);
  },
};

/** `siteward profiles use`. */
export const profilesUse: CommandDefinition = {
  declare: (command) => command.argument("<name>", "name of the profile"),
  help: `\
Commands use the chosen profile, unless --profile or SITEWARD_PROFILE names
another. Until you choose one, they use the profile \`default\`.`,
  examples: ["siteward profiles use work", "siteward profiles use default"],
  view: profileView,
  run: async ({ io, openOutput }, name: string) => {
    const output = openOutput();
    const { profiles } = await readProfileFile(io);
    if (!profiles.byName.has(checkProfileName(name))) throw unknownProfile("not_found", name, profiles);
    await changeProfileFile(io, (latest) => ({ ...latest, current: name }));
    for (const record of describeProfiles({ ...profiles, current: name }))
      if (record.name === name) await output.one(record);
    const { profile = name } = environmentSettings(io);
    if (profile !== name) await warn(io, `SITEWARD_PROFILE is set to "${profile}" and overrides the current profile.`);
  },
};

const removalHelp = `\
Only this machine forgets the key. The key stays valid until the operator
revokes it.`;

/** `siteward profiles remove`. */
export const profilesRemove: CommandDefinition = {
  declare: (command) => command.argument("<name>", "name of the profile"),
  help: removalHelp,
  examples: ["siteward profiles remove work"],
  view: removalView,
  run: async ({ io, openOutput }, name: string) => {
    const output = openOutput();
    const { profiles } = await readProfileFile(io);
    if (!profiles.byName.has(checkProfileName(name)))
      throw unknownProfile("not_found", name, profiles, "List the profiles with `siteward profiles list`.");
    await output.one({ profile: name, removed: await removeProfile(io, name) });
  },
};

/** `siteward logout`, which removes the profile that commands would use. */
export const logout: CommandDefinition = {
  help: removalHelp,
  examples: ["siteward logout", "siteward logout --profile work"],
  view: removalView,
  run: async ({ io, flags, openOutput }) => {
    const output = openOutput();
    const { profiles } = await readProfileFile(io);
    const profile = profileName(flags, environmentSettings(io), profiles);
    await output.one({ profile, removed: await removeProfile(io, profile) });
  },
};
