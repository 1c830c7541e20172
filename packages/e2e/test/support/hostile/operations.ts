import type { routes } from "@siteward/contract/routes";
import type { CallOptions, Siteward } from "@siteward/sdk";

type Routes = typeof routes;
type OperationName = {
  [Resource in keyof Routes & string]: `${Resource}.${keyof Routes[Resource] & string}`;
}[keyof Routes & string];

type Operation = (siteward: Siteward, options?: CallOptions) => PromiseLike<unknown>;

/** A call of every operation of the contract. */
const ofContract = {
  "account.get": (siteward, options) => siteward.account.get(options),
  "websites.list": (siteward, options) => siteward.websites.list({ search: "example" }, options),
  "websites.get": (siteward, options) => siteward.websites.get(7, options),
  "websites.create": (siteward, options) => siteward.websites.create({ domain: "example.com" }, options),
  "websites.update": (siteward, options) => siteward.websites.update(7, { email: 1 }, options),
  "websites.delete": (siteward, options) => siteward.websites.delete(7, options),
} satisfies Record<OperationName, Operation>;

/** A call of every method of the SDK that sends requests. */
export const operations: Readonly<Record<string, Operation>> = {
  ...ofContract,
  "websites.list().toArray": (siteward, options) =>
    siteward.websites.list({}, options).toArray({ limit: Number.POSITIVE_INFINITY }),
};
