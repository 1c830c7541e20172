import { randomUUID } from "node:crypto";
import type { Siteward } from "@siteward/sdk";
import { domainOf } from "../load/domain-of.ts";

/** One call, as the SDK makes it and as a bare `fetch` sends the same request. */
export interface Call {
  readonly title: string;
  /** @param number different for each call */
  readonly withSdk: (siteward: Siteward, number: number) => PromiseLike<unknown>;
  readonly request: (number: number) => BareRequest;
}

export interface BareRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How many websites the calls need: a list of 100 must be full. */
export const fewestWebsites = 100;

const path = "/api/v1/websites";

/** The calls of `pnpm bench sdk`, by the name that `--only` accepts. */
export const calls = {
  get: {
    title: "get one",
    withSdk: (siteward, number) => siteward.websites.get(idOf(number)),
    request: (number) => ({ path: `${path}/${idOf(number)}` }),
  },
  list: {
    title: "list 100",
    withSdk: (siteward) => siteward.websites.list({ per_page: 100 }),
    request: () => ({ path: `${path}?per_page=100` }),
  },
  create: {
    title: "create",
    withSdk: (siteward, number) => siteward.websites.create({ domain: domainOf(number) }),
    request: (number) => ({
      path,
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
      body: JSON.stringify({ domain: domainOf(number) }),
    }),
  },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;

// The type of the result of `keys` does not name them.
export const callNames = Object.keys(calls) as CallName[];

function idOf(number: number): number {
  return 1 + (number % fewestWebsites);
}
