import { EmailReports, ExcludeBots, Privacy, type WebsiteSettings } from "./website-fields.ts";

/** The settings of a website that was created with its domain alone (docs/interface.md, section 2). */
export const websiteDefaults = {
  privacy: Privacy.Public,
  email: EmailReports.Disabled,
  exclude_bots: ExcludeBots.Enabled,
  exclude_params: [],
  exclude_ips: [],
} as const satisfies { readonly [Field in keyof WebsiteSettings]: Readonly<WebsiteSettings[Field]> };
