import type { EntryGrammar } from "./grammars/entry-list.ts";
import { excludeIps } from "./grammars/exclude-ips.ts";
import { excludeParams } from "./grammars/exclude-params.ts";
import type { listFields } from "./website-fields.ts";

export { parseDomain } from "./grammars/domain.ts";
export { type EntryGrammar, type EntryList, parseEntryList } from "./grammars/entry-list.ts";
export { type IpNetwork, parseIpNetwork } from "./grammars/exclude-ips.ts";
export { isIpv4Mapped, readIpv4, readIpv6 } from "./grammars/ip-address.ts";
export type { Parsed } from "./grammars/parsed.ts";
export { listFields, Privacy, readOnlyFields, type WebsiteSettings, websiteDefaults } from "./website-fields.ts";
export { findPasswordFault, findPasswordLengthFault, passwordLength } from "./website-password.ts";

/** What each list of a website accepts as an entry. */
export const entryGrammars: Readonly<Record<(typeof listFields)[number], EntryGrammar>> = {
  exclude_params: excludeParams,
  exclude_ips: excludeIps,
};
