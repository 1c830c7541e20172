export { parseDomain } from "./grammars/domain.ts";
export { type EntryGrammar, type EntryList, parseEntryList } from "./grammars/entry-list.ts";
export { excludeIps } from "./grammars/exclude-ips.ts";
export { excludeParams } from "./grammars/exclude-params.ts";
export type { Parsed } from "./grammars/parsed.ts";
export { websiteDefaults } from "./website-defaults.ts";
export {
  EmailReports,
  ExcludeBots,
  listFields,
  Privacy,
  readOnlyFields,
  type WebsiteSettings,
} from "./website-fields.ts";
export { findPasswordFault, findPasswordLengthFault, passwordLength } from "./website-password.ts";
