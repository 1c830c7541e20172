export type { Scope } from "@siteward/contract/plain";
export { EmailReports, ExcludeBots, isWellFormedApiKey, Privacy } from "@siteward/contract/plain";
export type {
  Account,
  AccountApiKey,
  AccountWebsites,
  CreateWebsite,
  ListWebsites,
  Problem,
  UpdateWebsite,
  Website,
  WebsitePage,
  WebsitePageLinks,
  WebsitePageMeta,
} from "@siteward/contract/types";
export type { ApiPromise, ResponseInfo, WithResponse } from "./answer/api-promise.ts";
export { ApiError, type ApiErrorCode, type ApiErrorFields, type ErrorCode, isApiError } from "./errors/api-error.ts";
export {
  AbortError,
  ConnectionError,
  InvalidArgumentError,
  SitewardError,
  TimeoutError,
} from "./errors/siteward-error.ts";
export type {
  AnyCallOptions,
  CallOptions,
  ChangeOptions,
  CreateOptions,
} from "./options/call-options.ts";
export type { HeaderValues } from "./options/check-options.ts";
export type { RequestEvent, ResponseEvent, RetryEvent, WatchOptions } from "./options/hooks.ts";
export type { Fetch, FetchOptions, SitewardOptions } from "./options/siteward-options.ts";
export type { RawRequest } from "./request/build-request.ts";
export type { AccountResource } from "./resources/account.ts";
export type { SameWebsite } from "./resources/website-input.ts";
export type { ToArrayOptions, WebsiteList } from "./resources/website-list.ts";
export type { Websites } from "./resources/websites.ts";
export type { RateLimit } from "./response-headers.ts";
export { Siteward } from "./siteward.ts";
export { toCanonicalDomain } from "./to-canonical-domain.ts";
