export { checkConditions } from "./conditions/check-conditions.ts";
export { type Conditions, isWeak, judgeConditions } from "./conditions/judge-conditions.ts";
export { readConditions } from "./conditions/read-conditions.ts";
export type { Digest } from "./digest.ts";
export { AppError, type ErrorExtension, validationFailed, websiteNotFound } from "./errors/app-error.ts";
export { collectFieldErrors, type ValidationIssue } from "./errors/collect-field-errors.ts";
export { fromStorageError } from "./errors/from-storage-error.ts";
export { errorDocsPath, toProblemDetails } from "./errors/problem-details.ts";
export {
  asReplayed,
  domainTaken,
  idempotencyInProgress,
  idempotencyKeyReused,
  replayedHeader,
  websiteLimitReached,
} from "./errors/refusals.ts";
export { invalidApiKey, unauthenticated } from "./errors/unauthenticated.ts";
export { rateLimited, rateLimitHeaders } from "./limits/rate-limit-headers.ts";
export { oneRequest, RateLimiter } from "./limits/rate-limiter.ts";
export type { Grant, RateLimits } from "./limits/rate-limits.ts";
export { listTag } from "./lists/list-tag.ts";
export { readListRequest } from "./lists/read-list-request.ts";
export { toSearchTerm } from "./lists/search-term.ts";
export { toWebsitePage } from "./lists/to-website-page.ts";
export type { ListPosition, PositionStart, WebsiteList, WebsiteListRequest } from "./lists/website-list.ts";
export { accountTag } from "./records/account-tag.ts";
export { applyChange, isDifferent, notBefore } from "./records/apply-change.ts";
export { decideUpdate, readUpdate, type UpdateBody, validateUpdate } from "./records/decide-update.ts";
export { isSameValue } from "./records/is-same-value.ts";
export type { VersionedWebsite, WebsiteChange, WebsiteSettings } from "./records/website-change.ts";
export { websiteTag } from "./records/website-tag.ts";
export {
  type BodyReader,
  bodyTooLarge,
  findBodyReader,
  maxBodyBytes,
  notUtf8,
  readBodyText,
  unsupportedEncoding,
} from "./request/body-reader.ts";
export { describeRequest } from "./request/describe-request.ts";
export { isKeyPrefix, toKeyPrefix } from "./request/key-prefix.ts";
export { methodNotAllowed, toAllow } from "./request/method-not-allowed.ts";
export { apiPath, isBelow, pathNotFound, pathNotReadable, toPathPattern } from "./request/path.ts";
export { readBearerToken } from "./request/read-bearer-token.ts";
export { keptMs, readIdempotencyKey } from "./request/read-idempotency-key.ts";
export { readQuery } from "./request/read-query.ts";
export { isRequestId, requestIdHeader } from "./request/request-id.ts";
export { requireScope } from "./request/require-scope.ts";
export { type ServedContract, type ServedRoute, servedContract } from "./request/served-contract.ts";
export { unreadableBody } from "./request/unreadable-body.ts";
export type {
  ChangeAuthor,
  Created,
  CreateOptions,
  IdempotentRequest,
  NewWebsite,
  ServiceStorage,
  StoredAccount,
  WebsiteStore,
} from "./storage.ts";
export {
  isOutcomeUnknown,
  type Refusal,
  StorageError,
  type StorageFailure,
  storageOutcomeUnknown,
  storageUnavailable,
  tooManyChangesWait,
} from "./storage-error.ts";
