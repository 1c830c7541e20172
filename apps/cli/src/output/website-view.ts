import type { Website } from "@siteward/sdk";
import { type Column, cellText } from "./view.ts";

/** How a website is shown. A field without a column here does not compile. */
export const websiteView = {
  id: { title: "ID", inList: true, worth: 3 },
  domain: { title: "Domain", inList: true, kind: "domain", worth: 4 },
  privacy: { title: "Privacy", inList: true, show: showPrivacy, worth: 2 },
  has_password: { title: "Password set", inList: false, show: showYesOrNo },
  email: { title: "E-mail", inList: true, show: showSwitch },
  exclude_bots: { title: "Bots excluded", inList: true, show: showSwitch },
  exclude_params: { title: "Parameters excluded", inList: false, show: showList },
  exclude_ips: { title: "IPs excluded", inList: false, show: showList },
  created_at: { title: "Created", inList: true, kind: "time", worth: 1 },
  updated_at: { title: "Updated", inList: false, kind: "time", worth: 1 },
} satisfies Record<keyof Website, Column>;

/** The names of the values of `privacy` (docs/interface.md, section 3). A value without a name does not compile. */
export const privacyNames = { 0: "public", 1: "private", 2: "password" } as const satisfies Record<
  Website["privacy"],
  string
>;

function showPrivacy(value: unknown): string {
  return Object.entries(privacyNames).find(([level]) => level === String(value))?.[1] ?? cellText(value);
}

function showSwitch(value: unknown): string {
  if (value === 1) return "on";
  return value === 0 ? "off" : cellText(value);
}

function showYesOrNo(value: unknown): string {
  if (value === true) return "yes";
  return value === false ? "no" : cellText(value);
}

function showList(value: unknown): string {
  return Array.isArray(value) ? value.map(cellText).join(", ") : cellText(value);
}
