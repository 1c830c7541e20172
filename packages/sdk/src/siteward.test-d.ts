import { type Endpoint, endpoints } from "@siteward/contract/endpoints";
import type { Siteward } from "./siteward.ts";

/** A client with a method for every operation of these endpoints. */
type ClientOf<Endpoints extends Record<string, Record<string, Endpoint>>> = {
  readonly [Resource in keyof Endpoints]: {
    readonly [Operation in keyof Endpoints[Resource]]: (...values: never[]) => PromiseLike<unknown>;
  };
};

declare const siteward: Siteward;

// The client has a method for every operation of the contract.
siteward satisfies ClientOf<typeof endpoints>;

const moreResources = { ...endpoints, keys: { list: endpoints.account.get } } as const;
// @ts-expect-error the client has no such resource
siteward satisfies ClientOf<typeof moreResources>;

const moreOperations = { ...endpoints, account: { ...endpoints.account, close: endpoints.account.get } } as const;
// @ts-expect-error the client has no such operation
siteward satisfies ClientOf<typeof moreOperations>;
