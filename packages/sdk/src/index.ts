export { isWellFormedApiKey } from "@siteward/contract/api-key";
export type { Scope } from "@siteward/contract/routes";
export type {
  Account,
  CreateWebsite,
  ListWebsitesQuery,
  Problem,
  UpdateWebsite,
  Website,
} from "@siteward/contract/types";
export type { ApiPromise, ResponseInfo, WithResponse } from "./answer/api-promise.ts";
export { ApiError, type ApiErrorCode, type ApiErrorFields, type ErrorCode } from "./errors/api-error.ts";
export { isApiError, isSitewardError } from "./errors/is-api-error.ts";
export {
  AbortError,
  ConnectionError,
  InvalidArgumentError,
  SitewardError,
  TimeoutError,
} from "./errors/siteward-error.ts";
export type { CallOptions } from "./options/call-options.ts";
export type { Fetch, SitewardOptions } from "./options/siteward-options.ts";
export type { AccountResource } from "./resources/account.ts";
export type { ToArrayOptions, WebsiteList } from "./resources/website-list.ts";
export type { WebsitePage } from "./resources/website-page.ts";
export type { Websites } from "./resources/websites.ts";
export { Siteward } from "./siteward.ts";
