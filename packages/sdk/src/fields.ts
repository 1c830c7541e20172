/** What the service accepts in the fields of a website, for programs with forms of their own. It sends no request. */
export type { EntryGrammar, IpNetwork, Parsed } from "@siteward/contract/plain";
export {
  coversNetwork,
  entryGrammars,
  listFields,
  parseEntryList,
  parseIpNetwork,
  passwordLength,
  toUnicodeDomain,
  websiteDefaults,
} from "@siteward/contract/plain";
