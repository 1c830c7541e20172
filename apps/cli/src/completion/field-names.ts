import { accountView } from "../output/account-view.ts";
import { profileView, removalView } from "../output/profile-view.ts";
import { websiteView } from "../settings/website-view.ts";

const accountFields = Object.keys(accountView);
const profileFields = Object.keys(profileView);
const removalFields = Object.keys(removalView);
const websiteFields = Object.keys(websiteView);

const byCommand: Readonly<Record<string, readonly string[]>> = {
  account: accountFields,
  login: ["profile", "base_url", "key_store", ...accountFields.map((field) => `account.${field}`)],
  logout: removalFields,
  import: ["place", "domain", "id", "outcome", "reason"],
  check: ["place", "domain", "problem"],
  plan: ["create", "update", "delete", "unchanged", "not_in_file", "changes"],
  apply: ["place", "domain", "id", "outcome", "reason"],
  "profiles list": profileFields,
  "profiles use": profileFields,
  "profiles remove": removalFields,
  "websites list": websiteFields,
  "websites get": [...websiteFields, "etag"],
  "websites create": websiteFields,
  "websites update": websiteFields,
  "websites delete": ["id", "domain", "deleted"],
  "websites check": ["line", "counted", "reason", "rule", "explanation", "visited_url", "url"],
};

/** Returns the names that `--fields` of a command accepts. Nothing is suggested for a command that is not known here. */
export function fieldNames(command: string): readonly string[] {
  return byCommand[command] ?? [];
}
