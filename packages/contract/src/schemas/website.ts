import * as z from "zod";
import { countCharacters } from "../grammars/count-characters.ts";
import { parseDomain } from "../grammars/domain.ts";
import { excludeIps } from "../grammars/exclude-ips.ts";
import { excludeParams } from "../grammars/exclude-params.ts";
import { choiceField, closedObject, entryListField, grammarField, secretField } from "./field.ts";

/** Bounds of a website's password, in characters (Unicode code points). */
export const passwordLength = { min: 8, max: 256 } as const;

const privacyMeaning =
  "Who may see the statistics: 0 = Public, 1 = Private, 2 = Password (interface, sections 2 and 3).";
const emailMeaning = "E-mail reports: 0 = Disabled, 1 = Enabled (interface, section 2).";
const botsMeaning = "Leave bots out of the statistics: 0 = Disabled, 1 = Enabled (interface, section 2).";
const paramsMeaning =
  "URL parameters to leave out: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`.";
const ipsMeaning =
  "IP addresses to leave out: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`.";
const timeMeaning = "RFC 3339, in UTC, with milliseconds.";

const privacy = choiceField([0, 1, 2], "0 (Public), 1 (Private) or 2 (Password)").meta({ description: privacyMeaning });
const email = choiceField([0, 1], "0 (Disabled) or 1 (Enabled)").meta({ description: emailMeaning });
const excludeBots = choiceField([0, 1], "0 (Disabled) or 1 (Enabled)").meta({ description: botsMeaning });

const password = secretField(`a string of ${passwordLength.min} to ${passwordLength.max} characters`)
  .refine((text) => text === "" || isPasswordLength(text), {
    error: ({ input }) =>
      `is ${countCharacters(String(input))} characters long; send ${passwordLength.min} to ${passwordLength.max}`,
  })
  .meta({
    description:
      "Needed when the resulting privacy is 2 and none is stored; refused when it is not 2. 8 to 256 characters; an empty one counts as not sent. Never part of an answer.",
    format: "password",
    maxLength: passwordLength.max,
    writeOnly: true,
  })
  .transform((text) => (text === "" ? undefined : text));

const excludeParamsInput = entryListField(
  excludeParams,
  "an array of strings, or a string with one entry per line",
).meta({
  description: `${paramsMeaning} An array, or one text with an entry per line or between commas. An empty value clears the list.`,
});
const excludeIpsInput = entryListField(excludeIps, "an array of strings, or a string with one entry per line").meta({
  description: `${ipsMeaning} An array, or one text with an entry per line or between commas. An empty value clears the list. Stored in canonical form.`,
});

/** A website record as every operation answers with it. The password is not part of it. */
export const website = z
  .strictObject({
    id: z.int().min(1).meta({
      description: "Counted per account from 1 and never used twice, so that id order is creation order.",
    }),
    domain: z.string().meta({ description: "Canonical ASCII form; unique in its account." }),
    privacy: z.literal([0, 1, 2]).meta({ description: privacyMeaning }),
    has_password: z.boolean().meta({ description: "Whether a password is stored. The password itself is write-only." }),
    email: z.literal([0, 1]).meta({ description: emailMeaning }),
    exclude_bots: z.literal([0, 1]).meta({ description: botsMeaning }),
    exclude_params: z.array(z.string()).meta({ description: paramsMeaning }),
    exclude_ips: z.array(z.string()).meta({ description: `${ipsMeaning} In canonical form.` }),
    created_at: z.iso.datetime({ precision: 3 }).meta({ description: `When it was created. ${timeMeaning}` }),
    updated_at: z.iso.datetime({ precision: 3 }).meta({ description: `When it was last changed. ${timeMeaning}` }),
  })
  .meta({ id: "Website", description: "A website whose statistics are kept." });

/** The fields of a new website (interface, section 4, "Create website"). */
export const createWebsiteBody = closedObject({
  domain: grammarField(parseDomain, 'a host name such as "example.com"').meta({
    description:
      "The domain of the website: a host name, stored in lower-case ASCII (IDNA). No scheme, path, port, wildcard or IP address.",
    examples: ["example.com"],
  }),
  privacy: privacy.default(0),
  password: password.optional(),
  email: email.default(0),
  exclude_bots: excludeBots.default(1),
  exclude_params: excludeParamsInput.default([]),
  exclude_ips: excludeIpsInput.default([]),
})
  .superRefine(
    (body, context) => {
      const fault = findPasswordFault({ ...body, hasStoredPassword: false });
      if (fault !== undefined) context.addIssue({ code: "custom", path: ["password"], message: fault });
    },
    // Every bad field is named at once, so this runs even where another field was refused.
    { when: ({ value }) => isObjectWithPrivacy(value) },
  )
  .meta({ id: "CreateWebsite", description: "The fields of a new website." });

/** The fields that a change of a website may send; what is not sent stays (interface, section 4, "Update website"). */
export const updateWebsiteBody = closedObject({
  privacy: privacy.optional(),
  password: password.optional(),
  email: email.optional(),
  exclude_bots: excludeBots.optional(),
  exclude_params: excludeParamsInput.optional(),
  exclude_ips: excludeIpsInput.optional(),
  domain: z.never({ error: "cannot be changed; create a website with the new domain and delete this one" }).optional(),
}).meta({ id: "UpdateWebsite", description: "The fields to change. A field that is not sent stays as it is." });

/**
 * Holds the rule of password and privacy, so that nobody believes a page is protected that is not: a password is needed
 * where the resulting privacy is 2 and none is stored, and refused where it is not 2.
 *
 * @returns what is wrong with the field `password`, or undefined
 */
export function findPasswordFault(resulting: {
  readonly privacy: 0 | 1 | 2;
  readonly password?: string | undefined;
  readonly hasStoredPassword: boolean;
}): string | undefined {
  const { privacy, password, hasStoredPassword } = resulting;
  if (privacy === 2 && password === undefined && !hasStoredPassword) {
    return `is required if privacy is 2; send a string of ${passwordLength.min} to ${passwordLength.max} characters`;
  }
  if (privacy !== 2 && password !== undefined) {
    return `is not allowed if privacy is ${privacy}, because it would protect nothing; send privacy 2 too, or omit the password`;
  }
  return undefined;
}

function isObjectWithPrivacy(value: unknown): boolean {
  const privacyValues: readonly unknown[] = [0, 1, 2];
  return typeof value === "object" && value !== null && "privacy" in value && privacyValues.includes(value.privacy);
}

function isPasswordLength(text: string): boolean {
  // A character takes at most two code units, so most strings that are too long need no counting.
  if (text.length > 2 * passwordLength.max) return false;
  const length = countCharacters(text);
  return length >= passwordLength.min && length <= passwordLength.max;
}
