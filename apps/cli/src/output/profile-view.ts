import type { Column, View } from "./view.ts";

/** A profile as commands show it: without its key. */
export interface ProfileRecord {
  readonly name: string;
  /** Whether commands use it if neither a flag nor the environment names another. */
  readonly current: boolean;
  readonly base_url: string;
  /** Where its API key is stored. */
  readonly key_store: "keyring" | "file";
}

/** How profiles are shown to people. */
export const profileView = {
  name: { title: "Profile", inList: true },
  current: { title: "Current", inList: true, show: (value) => (value === true ? "yes" : "") },
  base_url: { title: "Service", inList: true },
  key_store: { title: "API key in", inList: true },
} satisfies Record<keyof ProfileRecord, Column>;

/** How the removal of a profile is shown to people. */
export const removalView: View = {
  profile: { title: "Profile", inList: true },
  removed: { title: "Removed", inList: true, show: (value) => (value === true ? "yes" : "no (profile not found)") },
};
