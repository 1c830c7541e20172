import { type Route, routes } from "@siteward/contract/routes";
import type { Siteward } from "./siteward.ts";

/** A client that has a method for every operation of these routes. */
type ClientOf<Routes extends Record<string, Record<string, Route>>> = {
  readonly [Resource in keyof Routes]: {
    readonly [Operation in keyof Routes[Resource]]: (...values: never[]) => PromiseLike<unknown>;
  };
};

declare const siteward: Siteward;

// The client has a method for every operation of the contract.
siteward satisfies ClientOf<typeof routes>;

const moreResources = { ...routes, keys: { list: routes.account.get } } as const;
// @ts-expect-error a resource that the client does not know is noticed
siteward satisfies ClientOf<typeof moreResources>;

const moreOperations = { ...routes, account: { ...routes.account, close: routes.account.get } } as const;
// @ts-expect-error an operation that the client does not know is noticed
siteward satisfies ClientOf<typeof moreOperations>;
