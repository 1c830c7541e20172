export type { Conditions } from "./conditions/judge-conditions.ts";
export { AppError, type Facts, type Failure, type RefusalReason, refusalReasons } from "./errors/app-error.ts";
export { collectFieldErrors, type ValidationIssue } from "./errors/collect-field-errors.ts";
export { errorDocsPath, errorHeaders, toProblemDetails } from "./errors/problem-details.ts";
export {
  changeLimitReached,
  databaseBusy,
  databaseNotMigrated,
  databaseNotPermitted,
  databaseReadOnly,
  domainTaken,
  idempotencyKeyReused,
  invalidApiKey,
  isForOperator,
  isOutcome,
  isRefusedFor,
  outcomeUnknown,
  replayed,
  tooManyWait,
  validationFailed,
  websiteLimitReached,
} from "./errors/refusals.ts";
export { rateLimited, rateLimitHeaders, toSeconds } from "./limits/rate-limit-headers.ts";
export { oneRequest, RateLimiter } from "./limits/rate-limiter.ts";
export type { Grant, RateLimits } from "./limits/rate-limits.ts";
export { toSearchTerm } from "./lists/search-term.ts";
export type { ChangePosition, WebsiteChanges, WebsiteChangesRequest } from "./lists/website-changes.ts";
export type { ListPosition, WebsiteList, WebsiteListRequest } from "./lists/website-list.ts";
export { type MemoryAccount, MemoryStorage } from "./memory/memory-storage.ts";
export { operations } from "./operations/index.ts";
export type {
  Answer,
  Call,
  Operation,
  PasswordHasher,
  PasswordRequest,
  Principal,
  Service,
} from "./operations/operation.ts";
export { applyChange, isDifferent, isSameValue, notBefore } from "./records/apply-change.ts";
export { decideUpdate, readUpdate, validateUpdate } from "./records/decide-update.ts";
export type { VersionedWebsite, WebsiteChange } from "./records/website-change.ts";
export { type Admitted, admit, type ReceivedRequest, type SaidByRequest } from "./request/admit.ts";
export {
  type BodyReader,
  bodyTooLarge,
  findBodyReader,
  maxBodyBytes,
  notUtf8,
  readBodyText,
  unsupportedEncoding,
} from "./request/body-reader.ts";
export { isKeyPrefix } from "./request/key-prefix.ts";
export { methodNotAllowed, toAllow } from "./request/method-not-allowed.ts";
export { apiPath, isBelow, pathNotFound, pathNotReadable, toPathPattern } from "./request/path.ts";
export { readBearerToken } from "./request/read-bearer-token.ts";
export { keptMs } from "./request/read-idempotency-key.ts";
export { readQuery } from "./request/read-query.ts";
export { refuseInvalid } from "./request/refuse-invalid.ts";
export { isRequestId, requestIdHeader } from "./request/request-id.ts";
export { RunningRequests } from "./request/running-requests.ts";
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
