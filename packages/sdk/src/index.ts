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
export type { AccountResource } from "./account.ts";
export { ApiError, type ApiErrorCode, type ApiErrorFields, type ErrorCode } from "./api-error.ts";
export type { ApiPromise, ResponseInfo, WithResponse } from "./api-promise.ts";
export type { CallOptions } from "./call-options.ts";
export type { Fetch, SitewardOptions } from "./connection.ts";
export { AbortError, ConnectionError, InvalidArgumentError, SitewardError, TimeoutError } from "./errors.ts";
export { isApiError, isSitewardError } from "./is-api-error.ts";
export { Siteward } from "./siteward.ts";
export type { ToArrayOptions, WebsiteList } from "./website-list.ts";
export type { WebsitePage } from "./website-page.ts";
export type { Websites } from "./websites.ts";
