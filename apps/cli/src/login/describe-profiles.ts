import { defaultProfileName, type Profiles } from "../config/profiles.ts";
import type { ProfileRecord } from "../output/profile-view.ts";

/** Returns all profiles as commands show them, in order of their names. */
export function describeProfiles({ byName, current = defaultProfileName }: Profiles): readonly ProfileRecord[] {
  return [...byName]
    .map(([name, { baseUrl, key }]) => ({ name, current: name === current, base_url: baseUrl, key_store: key.store }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
