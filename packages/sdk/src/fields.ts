/** What the service accepts in the fields of a website, for programs with forms of their own. It sends no request. */
export {
  coversNetwork,
  type EntryGrammar,
  entryGrammars,
  type IpNetwork,
  listFields,
  type Parsed,
  parseEntryList,
  parseIpNetwork,
  passwordLength,
  toUnicodeDomain,
  websiteDefaults,
} from "@siteward/contract/plain";
