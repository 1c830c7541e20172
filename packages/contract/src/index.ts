export { type Contract, contract } from "./contract.ts";
export { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
export { parseDomain } from "./grammars/domain.ts";
export { excludeIps } from "./grammars/exclude-ips.ts";
export { excludeParams } from "./grammars/exclude-params.ts";
export type { Parsed } from "./grammars/parsed.ts";
export { toAscii } from "./grammars/to-ascii.ts";
export { toUnicodeDomain } from "./grammars/to-unicode-domain.ts";
export { type Route, routes, type Scope, scopes } from "./routes.ts";
export { account } from "./schemas/account.ts";
export { defaultOrder, listWebsitesQuery, maxExactTotal, maxPageOffset, websitePage } from "./schemas/page.ts";
export { problem } from "./schemas/problem.ts";
export { createWebsiteBody, updateWebsiteBody, website } from "./schemas/website.ts";
export type {
  Account,
  CreateWebsite,
  CreateWebsiteBody,
  ListWebsites,
  Problem,
  UpdateWebsite,
  UpdateWebsiteBody,
  Website,
  WebsitePage,
} from "./types.ts";
export { findPasswordFault, passwordLength } from "./website-password.ts";
