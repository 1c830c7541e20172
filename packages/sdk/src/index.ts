export { isWellFormedApiKey } from "@siteward/contract/api-key";
export type { Scope } from "@siteward/contract/routes";
export type {
  Account,
  AccountApiKey,
  AccountWebsites,
  CreateWebsite,
  ListWebsites,
  Problem,
  UpdateWebsite,
  Website,
  WebsitePageLinks,
  WebsitePageMeta,
} from "@siteward/contract/types";
export { EmailReports, ExcludeBots, Privacy } from "@siteward/contract/website-fields";
export type { ApiPromise, WithResponse } from "./answer/api-promise.ts";
export type { ResponseInfo } from "./answer/response-info.ts";
export { toCanonicalDomain } from "./domain/to-canonical-domain.ts";
export { AbortError } from "./errors/abort-error.ts";
export { ApiError, type ApiErrorCode, type ApiErrorFields, type ErrorCode } from "./errors/api-error.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export { InvalidArgumentError } from "./errors/invalid-argument-error.ts";
export { isApiError } from "./errors/is-api-error.ts";
export { isSitewardError, SitewardError } from "./errors/siteward-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export type { RateLimit } from "./headers/rate-limit.ts";
export type { RequestEvent, ResponseEvent, RetryEvent } from "./hooks/hooks.ts";
export type { Logger, LogLevel } from "./hooks/log.ts";
export type { WatchOptions } from "./hooks/notify.ts";
export type { AnyCallOptions, CallOptions, ChangeOptions, CreateOptions } from "./options/call-options.ts";
export type { HeaderValues } from "./options/read-headers.ts";
export type { Fetch, FetchOptions, SitewardOptions } from "./options/siteward-options.ts";
export type { RawRequest } from "./request/raw-request.ts";
export type { AccountResource } from "./resources/account.ts";
export type { SameWebsite } from "./resources/website-input.ts";
export type { ToArrayOptions, WebsiteList } from "./resources/website-list.ts";
export type { WebsitePage } from "./resources/website-page.ts";
export type { Websites } from "./resources/websites.ts";
export { Siteward } from "./siteward.ts";

// The declarations name these types of the platform. Where it has them, they are merged with its own. A compiler that knows no
// platform (`lib: ["es2022"], types: []`) gets empty ones, so that the declarations compile. `RequestInit` and `Request` are not
// among them, because they have type parameters in the types of Cloudflare Workers, and then nothing can be merged with them.
declare global {
  interface AbortSignal {}
  interface Headers {}
  interface Response {}
}
