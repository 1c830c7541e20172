/** What needs no schema library: clients load it without zod. */
export {
  apiKeyPrefix,
  apiKeySecretLength,
  apiKeyShape,
  apiKeyShownLength,
  base62,
  formatApiKey,
  isWellFormedApiKey,
  toKeyPrefix,
} from "./api-key.ts";
export { canonicalizeDomain, maxDomainLength, parseDomain } from "./grammars/domain.ts";
export { type EntryGrammar, type Parsed, parseEntryList } from "./grammars/entry-list.ts";
export * from "./grammars/exclude-ips.ts";
export { parseParameterName } from "./grammars/exclude-params.ts";
export { toAscii } from "./grammars/to-ascii.ts";
export { toUnicodeDomain } from "./grammars/unicode.ts";
export { type Route, routes, type Scope, scopes } from "./routes.ts";
export type { WebsiteSettings } from "./schemas/website.ts";
export * from "./website-fields.ts";
export { findPasswordFault, findPasswordTextFault, passwordLength } from "./website-password.ts";
