export type { Scope } from "@siteward/contract/routes";
export type { CreateWebsite, Problem, UpdateWebsite, Website } from "@siteward/contract/types";
export { createFakeSiteward } from "./create-fake-siteward.ts";
export type { FakeSiteward, FakeSitewardOptions } from "./fake-siteward.ts";
export type { FakeFetch, FakeFetchInput, FakeFetchOptions } from "./fetch/fake-fetch.ts";
export type { FakeRequest } from "./fetch/fake-request.ts";
export type {
  Delay,
  Failure,
  NetworkFailure,
  ProblemFailure,
  RequestMatch,
  StatusFailure,
} from "./injected/failure.ts";
export type { FakeApiKeyOptions } from "./state/api-key-options.ts";
export type { FakeClock } from "./state/clock.ts";

// For a compiler that knows no platform. The main entry says why.
declare global {
  interface AbortSignal {}
  interface Response {}
  interface URL {}
}
