export { type Contract, contract } from "./contract.ts";
export { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
export { isPublished } from "./is-published.ts";
export * from "./plain.ts";
export { type Account, account } from "./schemas/account.ts";
export {
  defaultOrder,
  type ListWebsites,
  listWebsitesQuery,
  maxExactTotal,
  maxPageOffset,
  type WebsitePage,
  websitePage,
} from "./schemas/page.ts";
export { type Problem, problem } from "./schemas/problem.ts";
export {
  type CreateWebsite,
  createWebsiteBody,
  type UpdateWebsite,
  updateWebsiteBody,
  type Website,
  website,
} from "./schemas/website.ts";
