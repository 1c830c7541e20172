import * as z from "zod";
import { parseDomain } from "../grammars/domain.ts";
import { excludeIps } from "../grammars/exclude-ips.ts";
import { excludeParams } from "../grammars/exclude-params.ts";
import { websiteDefaults } from "../website-defaults.ts";
import { EmailReports, ExcludeBots, Privacy } from "../website-fields.ts";
import { findPasswordFault, findPasswordLengthFault, passwordLength } from "../website-password.ts";
import { describeNamedValues, expectNamedValues } from "./describe-named-values.ts";
import { choiceField, closedObject, entryListField, grammarField, secretField } from "./fields.ts";
import { interfaceSection } from "./interface-section.ts";

const privacyMeaning = `Who can see the statistics: ${describeNamedValues(Privacy)}.`;
const emailMeaning = `E-mail reports: ${describeNamedValues(EmailReports)}.`;
const botsMeaning = `Exclude bots from the statistics: ${describeNamedValues(ExcludeBots)}.`;
const paramsMeaning =
  "URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`.";
const ipsMeaning =
  "IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`.";
const timeMeaning = "RFC 3339, in UTC, with milliseconds.";

const privacyValues = Object.values(Privacy);
const emailValues = Object.values(EmailReports);
const botsValues = Object.values(ExcludeBots);
const privacy = choiceField(privacyValues, expectNamedValues(Privacy)).meta({ description: privacyMeaning });
const email = choiceField(emailValues, expectNamedValues(EmailReports)).meta({ description: emailMeaning });
const excludeBots = choiceField(botsValues, expectNamedValues(ExcludeBots)).meta({ description: botsMeaning });

const password = secretField(`a string of ${passwordLength.min} to ${passwordLength.max} characters`)
  .superRefine((text, context) => {
    const fault = text === "" ? undefined : findPasswordLengthFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  })
  .meta({ format: "password", maxLength: passwordLength.max, writeOnly: true })
  .transform((text) => (text === "" ? undefined : text));
const passwordForm = `${passwordLength.min} to ${passwordLength.max} characters; an empty string counts as not sent. No response contains it.`;

const listForm = "an array of strings, or a string with entries separated by commas or line breaks";
const sentParamsMeaning = `${paramsMeaning} Send ${listForm}.`;
const sentIpsMeaning = `${ipsMeaning} Send ${listForm}. Stored in canonical form.`;
const clears = "An empty value clears the list.";
const excludeParamsInput = entryListField(excludeParams, listForm);
const excludeIpsInput = entryListField(excludeIps, listForm);

/** A website record as every operation returns it, without the password. */
export const website = z
  .strictObject({
    id: z.int().min(1).meta({
      description: "Counts up from 1 in each account and is never reused, so IDs sort by date created.",
    }),
    domain: z.string().meta({ description: "Domain in canonical ASCII form. Unique in the account." }),
    privacy: z.literal(privacyValues).meta({ description: privacyMeaning }),
    has_password: z.boolean().meta({ description: "Whether a password is stored. The password itself is write-only." }),
    email: z.literal(emailValues).meta({ description: emailMeaning }),
    exclude_bots: z.literal(botsValues).meta({ description: botsMeaning }),
    exclude_params: z.array(z.string()).meta({ description: paramsMeaning }),
    exclude_ips: z.array(z.string()).meta({ description: `${ipsMeaning} In canonical form.` }),
    created_at: z.iso.datetime({ precision: 3 }).meta({ description: `When the website was created. ${timeMeaning}` }),
    updated_at: z.iso
      .datetime({ precision: 3 })
      .meta({ description: `When the website was last changed. ${timeMeaning}` }),
  })
  .meta({ id: "Website", description: `A website and its settings. See ${interfaceSection(2)}.` });

/** The fields of a new website (docs/interface.md, section 4, "Create website"). */
export const createWebsiteBody = closedObject({
  domain: grammarField(parseDomain, 'a host name such as "example.com"').meta({
    description:
      "Domain of the website: a host name without scheme, path, port or wildcard, and not an IP address. Stored in lowercase ASCII (IDNA).",
    examples: ["example.com"],
  }),
  privacy: privacy.default(websiteDefaults.privacy),
  password: password
    .optional()
    .meta({ description: `Required if privacy is 2, and not allowed if it is not. ${passwordForm}` }),
  email: email.default(websiteDefaults.email),
  exclude_bots: excludeBots.default(websiteDefaults.exclude_bots),
  exclude_params: excludeParamsInput
    .default([...websiteDefaults.exclude_params])
    .meta({ description: sentParamsMeaning }),
  exclude_ips: excludeIpsInput.default([...websiteDefaults.exclude_ips]).meta({ description: sentIpsMeaning }),
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
  privacy: privacy.optional(),
  password: password.optional().meta({
    description: `Required if the resulting privacy is 2 and no password is stored. Not allowed if the resulting privacy is not 2. ${passwordForm}`,
  }),
  email: email.optional(),
  exclude_bots: excludeBots.optional(),
  exclude_params: excludeParamsInput.optional().meta({ description: `${sentParamsMeaning} ${clears}` }),
  exclude_ips: excludeIpsInput.optional().meta({ description: `${sentIpsMeaning} ${clears}` }),
  domain: z.never({ error: "cannot be changed; create a website with the new domain and delete this one" }).optional(),
}).meta({
  id: "UpdateWebsite",
  description: `The fields to change. Omitted fields stay as they are. See ${interfaceSection(4)}.`,
});

function isObjectWithPrivacy(value: unknown): boolean {
  const known: readonly unknown[] = privacyValues;
  return typeof value === "object" && value !== null && "privacy" in value && known.includes(value.privacy);
}
