import * as z from "zod";
import { parseDomain } from "../grammars/domain.ts";
import {
  EmailReports,
  ExcludeBots,
  entryGrammars,
  Privacy,
  type readOnlyFields,
  websiteDefaults,
} from "../website-fields.ts";
import { findPasswordFault, findPasswordTextFault, passwordLength } from "../website-password.ts";
import { closedObject, grammarField, secretField } from "./fields.ts";
import { interfaceSection } from "./interface-section.ts";
import { entryList, namedValue, pickForm, type SettingSchemas } from "./setting-schemas.ts";

const timeMeaning = "RFC 3339, in UTC, with milliseconds.";

const password = secretField(`a string of ${passwordLength.min} to ${passwordLength.max} characters`)
  .superRefine((text, context) => {
    const fault = text === "" ? undefined : findPasswordTextFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  })
  .meta({ format: "password", maxLength: passwordLength.max, writeOnly: true })
  .transform((text) => (text === "" ? undefined : text));
const passwordForm =
  `${passwordLength.min} to ${passwordLength.max} characters of valid Unicode; an empty string counts as not sent. ` +
  "No response contains it.";

/** The settings, in the order of the interface. */
const settings = {
  privacy: namedValue(Privacy, "Who can see the statistics", websiteDefaults.privacy),
  email: namedValue(EmailReports, "E-mail reports", websiteDefaults.email),
  exclude_bots: namedValue(ExcludeBots, "Exclude bots from the statistics", websiteDefaults.exclude_bots),
  exclude_params: entryList(entryGrammars.exclude_params, {
    initial: websiteDefaults.exclude_params,
    meaning:
      "URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. " +
      "No regular expressions, quotation marks, whitespace, or invisible characters such as U+200B.",
  }),
  exclude_ips: entryList(entryGrammars.exclude_ips, {
    initial: websiteDefaults.exclude_ips,
    meaning:
      "IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, " +
      "or IPv4 wildcards such as `203.0.113.*`.",
    storedForm: "canonical form",
  }),
} satisfies Record<string, SettingSchemas>;

// In each shape, a field that is not a setting follows the privacy: whether a password is stored, or the password.
const { privacy: storedPrivacy, ...otherStored } = pickForm(settings, "stored");
const { privacy: newPrivacy, ...otherNew } = pickForm(settings, "created");
const { privacy: changedPrivacy, ...otherChanged } = pickForm(settings, "changed");

/** A website record as every operation returns it, without the password. */
export const website = z
  .strictObject({
    id: z.int().min(1).describe("Counts up from 1 in each account and is never reused, so IDs sort by date created."),
    domain: z.string().describe("Domain in canonical ASCII form. Unique in the account."),
    privacy: storedPrivacy,
    has_password: z.boolean().describe("Whether a password is stored. The password itself is write-only."),
    ...otherStored,
    created_at: z.iso.datetime({ precision: 3 }).describe(`When the website was created. ${timeMeaning}`),
    updated_at: z.iso.datetime({ precision: 3 }).describe(`When the website was last changed. ${timeMeaning}`),
  })
  .meta({ id: "Website", description: `A website and its settings. See ${interfaceSection(2)}.` });

/** The fields of a new website (docs/interface.md, section 4, "Create website"). */
export const createWebsiteBody = closedObject({
  domain: grammarField(parseDomain, 'a host name such as "example.com"').meta({
    description:
      "Domain of the website: a host name without scheme, path, port or wildcard, and not an IP address. " +
      "Stored in lowercase ASCII (IDNA).",
    examples: ["example.com"],
  }),
  privacy: newPrivacy,
  password: password.optional().describe(`Required if privacy is 2, and not allowed if it is not. ${passwordForm}`),
  ...otherNew,
})
  .superRefine(
    (body, context) => {
      const fault = findPasswordFault({ ...body, hasStoredPassword: false });
      if (fault !== undefined) context.addIssue({ code: "custom", path: ["password"], message: fault });
    },
    // The response names every invalid field at once, so this also runs if another field is invalid.
    { when: ({ value }) => isObjectWithPrivacy(value) },
  )
  .meta({ id: "CreateWebsite", description: `The fields of a new website. See ${interfaceSection(4)}.` });

/** The fields that an update can change. Omitted fields stay as they are (docs/interface.md, section 4, "Update website"). */
export const updateWebsiteBody = closedObject({
  privacy: changedPrivacy,
  password: password
    .optional()
    .describe(
      "Required if the resulting privacy is 2 and no password is stored. " +
        `Not allowed if the resulting privacy is not 2. ${passwordForm}`,
    ),
  ...otherChanged,
  domain: z.never({ error: "cannot be changed; create a website with the new domain and delete this one" }).optional(),
}).meta({
  id: "UpdateWebsite",
  description: `The fields to change. Omitted fields stay as they are. See ${interfaceSection(4)}.`,
});

/** A website and its settings. */
export type Website = z.output<typeof website>;

/** The fields of a website that a create and an update can set, without the password. */
export type WebsiteSettings = Omit<Website, (typeof readOnlyFields)[number]>;

/** The fields of a new website. */
export type CreateWebsite = z.input<typeof createWebsiteBody>;

/** The fields to change. Omitted fields stay as they are. */
export type UpdateWebsite = Omit<z.input<typeof updateWebsiteBody>, "domain">;

function isObjectWithPrivacy(value: unknown): boolean {
  const known: readonly unknown[] = Object.values(Privacy);
  return typeof value === "object" && value !== null && "privacy" in value && known.includes(value.privacy);
}
