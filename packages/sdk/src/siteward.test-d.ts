import { type Route, routes } from "@siteward/contract/plain";
import type { Siteward } from "./siteward.ts";

/** A client with a method for every operation of these routes. */
type ClientOf<Endpoints extends Record<string, Record<string, Route>>> = {
  readonly [Resource in keyof Endpoints]: {
    readonly [Operation in keyof Endpoints[Resource]]: (...values: never[]) => PromiseLike<unknown>;
  };
};

declare const siteward: Siteward;

// The client has a method for every operation of the contract.
siteward satisfies ClientOf<typeof routes>;

const moreResources = { ...routes, keys: { list: routes.account.get } } as const;
// @ts-expect-error the client has no such resource
siteward satisfies ClientOf<typeof moreResources>;

const moreOperations = { ...routes, account: { ...routes.account, close: routes.account.get } } as const;
// @ts-expect-error the client has no such operation
siteward satisfies ClientOf<typeof moreOperations>;
