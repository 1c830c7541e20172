import type { routes } from "@siteward/contract/plain";
import type { CallOptions, Siteward } from "@siteward/sdk";

type Routes = typeof routes;
type OperationName = {
  [Resource in keyof Routes & string]: `${Resource}.${keyof Routes[Resource] & string}`;
}[keyof Routes & string];

type Operation = (siteward: Siteward, options?: CallOptions) => PromiseLike<unknown>;

/** A call of every operation of the contract. */
const contractOperations: Readonly<Record<OperationName, Operation>> = {
  "account.get": (siteward, options) => siteward.account.get(options),
  "websites.list": (siteward, options) => siteward.websites.list({ search: "example" }, options),
  "websites.get": (siteward, options) => siteward.websites.get(7, options),
  "websites.create": (siteward, options) => siteward.websites.create({ domain: "example.com" }, options),
  "websites.update": (siteward, options) => siteward.websites.update(7, { email: 1 }, options),
  "websites.delete": (siteward, options) => siteward.websites.delete(7, options),
};

/** A call of every method of the SDK that sends requests. */
export const operations: Readonly<Record<string, Operation>> = {
  ...contractOperations,
  "websites.list().pages": async (siteward, options) => {
    for await (const page of siteward.websites.list({}, options).pages()) if (page.data.length === 0) return;
  },
  "websites.getByDomain": (siteward, options) => siteward.websites.getByDomain("example.com", options),
  "websites.upsert": (siteward, options) => siteward.websites.upsert({ domain: "upsert.example" }, options),
  "websites.update of a record": async (siteward, options) =>
    siteward.websites.update(7, { ...(await siteward.websites.get(7, options)), email: 1 }, options),
  request: (siteward, options) => siteward.request({ method: "GET", path: "/api/v1/websites/7" }, options),
  "websites.list().toArray": (siteward, options) =>
    siteward.websites.list({}, options).toArray({ limit: Number.POSITIVE_INFINITY }),
};
