export { account } from "./account.ts";
export { type Contract, contract } from "./contract.ts";
export { parseDomain } from "./domain.ts";
export { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
export { excludeIps } from "./exclude-ips.ts";
export { excludeParams } from "./exclude-params.ts";
export { listWebsitesQuery, maxExactTotal, maxPageOffset, websitePage } from "./page.ts";
export type { Parsed } from "./parsed.ts";
export { problem } from "./problem.ts";
export { type Route, routes, type Scope, scopes } from "./routes.ts";
export { toAscii } from "./to-ascii.ts";
export type {
  Account,
  CreateWebsite,
  ListWebsitesQuery,
  Problem,
  UpdateWebsite,
  Website,
  WebsitePage,
} from "./types.ts";
export { createWebsiteBody, findPasswordFault, passwordLength, updateWebsiteBody, website } from "./website.ts";
