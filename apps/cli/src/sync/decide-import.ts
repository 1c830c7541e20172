import { isDeepStrictEqual } from "node:util";
import { findPasswordFault, type Parsed, Privacy, websiteDefaults } from "@siteward/contract/website-settings";
import type { CreateWebsite, UpdateWebsite, Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Verdict } from "./import-result.ts";

/** What to do with a website that exists. */
export type OnConflict = "skip" | "update" | "fail";

/** What to do with an entry. */
export type Decision =
  | { readonly action: "create"; readonly input: CreateWebsite }
  | { readonly action: "update"; readonly id: number; readonly input: UpdateWebsite }
  | { readonly action: "none"; readonly verdict: Verdict };

/** What is known of the website of an entry. */
interface Situation {
  /** The website with this domain; undefined if none exists. */
  readonly existing: Website | undefined;
  readonly onConflict: OnConflict;
  /** The password that the entry names; undefined if it names none. */
  readonly password: Parsed<string> | undefined;
}

/** Decides what to do with an entry. It refuses what the service would refuse. */
export function decideImport(entry: WebsiteEntry, { existing, onConflict, password }: Situation): Decision {
  if (existing !== undefined && onConflict === "skip")
    return none({ outcome: "skipped", id: existing.id, reason: "exists" });
  if (existing !== undefined && onConflict === "fail")
    return none({ outcome: "refused", id: existing.id, reason: "exists" });
  if (password?.ok === false) return none({ outcome: "refused", id: existing?.id, reason: password.reason });
  const fault = passwordFault(entry, existing, password?.value);
  if (fault !== undefined) return none({ outcome: "refused", id: existing?.id, reason: fault });
  const secret = password === undefined ? {} : { password: password.value };
  if (existing === undefined) {
    return { action: "create", input: { domain: entry.domain, ...entry.settings, ...secret } };
  }
  const input = { ...changedSettings(entry, existing), ...secret };
  if (Object.keys(input).length === 0) return none({ outcome: "unchanged", id: existing.id });
  return { action: "update", id: existing.id, input };
}

function none(verdict: Verdict): Decision {
  return { action: "none", verdict };
}

function passwordFault(
  entry: WebsiteEntry,
  existing: Website | undefined,
  password: string | undefined,
): string | undefined {
  const privacy = entry.settings.privacy ?? existing?.privacy ?? websiteDefaults.privacy;
  const fault = findPasswordFault({ privacy, password, hasStoredPassword: existing?.has_password ?? false });
  if (fault === undefined) return undefined;
  if (privacy !== Privacy.Password) return `password ${fault}`;
  return "password is required if privacy is password; add password_env or password_file";
}

/** Returns the stated settings that differ from those of the website. */
function changedSettings(entry: WebsiteEntry, existing: Website): UpdateWebsite {
  const current: Readonly<Record<string, unknown>> = { ...existing };
  const changed = Object.entries(entry.settings).filter(([field, value]) => !isDeepStrictEqual(value, current[field]));
  // Each is a field of the settings with its own value.
  return Object.fromEntries(changed) as UpdateWebsite;
}
