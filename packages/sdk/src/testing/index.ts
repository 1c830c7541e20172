export type { Scope } from "@siteward/contract/plain";
export type { CreateWebsite, Problem, Website } from "@siteward/contract/types";
export type { FakeApiKeyOptions } from "./api-keys.ts";
export type { FakeClock } from "./clock.ts";
export { createFakeSiteward, type FakeSiteward, type FakeSitewardOptions } from "./fake.ts";
export type { FakeFetch, FakeRequest } from "./fetch.ts";
export type { Failure } from "./injections.ts";

// For a compiler that knows no platform. `siteward.ts` says why.
declare global {
  interface AbortSignal {}
  interface Response {}
  interface URL {}
}
