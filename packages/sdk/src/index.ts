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
export { AbortError } from "./errors/abort-error.ts";
export { ApiError, type ApiErrorCode, type ApiErrorFields, type ErrorCode } from "./errors/api-error.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export { InvalidArgumentError } from "./errors/invalid-argument-error.ts";
export { isApiError } from "./errors/is-api-error.ts";
export { isSitewardError, SitewardError } from "./errors/siteward-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export type { CallOptions, ChangeOptions, CreateOptions } from "./options/call-options.ts";
export type { Fetch, SitewardOptions } from "./options/siteward-options.ts";
export type { AccountResource } from "./resources/account.ts";
export type { ToArrayOptions, WebsiteList } from "./resources/website-list.ts";
export type { WebsitePage } from "./resources/website-page.ts";
export type { Websites } from "./resources/websites.ts";
export { Siteward } from "./siteward.ts";
