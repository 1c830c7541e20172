import { initContract } from "@ts-rest/core";
import * as z from "zod";
import { account } from "./account.ts";
import { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
import { positiveIntegerField } from "./field.ts";
import { listWebsitesQuery, websitePage } from "./page.ts";
import { problem } from "./problem.ts";
import { type Route, routes } from "./routes.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "./website.ts";

const c = initContract();

const websitePath = z.object({
  id: positiveIntegerField("the id of a website").meta({ description: "Id of the website (interface, section 2)." }),
});

const websiteEnvelope = z.strictObject({ data: website }).meta({ id: "WebsiteEnvelope" });
const accountEnvelope = z.strictObject({ data: account }).meta({ id: "AccountEnvelope" });

/** The whole interface: routes, schemas and every declared status. Server, SDK and terminal tool are checked against it. */
export const contract = c.router(
  {
    websites: {
      list: c.query({
        ...operation(routes.websites.list),
        summary: "List websites",
        query: listWebsitesQuery,
        responses: { 200: websitePage, ...problems(routes.websites.list) },
      }),
      get: c.query({
        ...operation(routes.websites.get),
        summary: "Get one website",
        pathParams: websitePath,
        responses: { 200: websiteEnvelope, ...problems(routes.websites.get) },
      }),
      create: c.mutation({
        ...operation(routes.websites.create),
        summary: "Create a website",
        contentType: "application/x-www-form-urlencoded",
        body: createWebsiteBody,
        responses: { 201: websiteEnvelope, ...problems(routes.websites.create) },
      }),
      update: c.mutation({
        ...operation(routes.websites.update),
        summary: "Update a website",
        pathParams: websitePath,
        contentType: "application/x-www-form-urlencoded",
        body: updateWebsiteBody,
        responses: { 200: websiteEnvelope, ...problems(routes.websites.update) },
      }),
      delete: c.mutation({
        ...operation(routes.websites.delete),
        summary: "Delete a website",
        pathParams: websitePath,
        body: c.noBody(),
        responses: { 204: c.noBody(), ...problems(routes.websites.delete) },
      }),
    },
    account: {
      get: c.query({
        ...operation(routes.account.get),
        summary: "Get the account of the API key",
        responses: { 200: accountEnvelope, ...problems(routes.account.get) },
      }),
    },
  },
  { strictStatusCodes: true },
);

/** The contract's type, by which an implementation is checked. */
export type Contract = typeof contract;

/** Method and path of a route, and the whole route as the metadata that the server enforces. */
function operation<const R extends Route>(route: R) {
  return { method: route.method, path: route.path, metadata: { route } } as {
    readonly method: R["method"];
    readonly path: R["path"];
    readonly metadata: { readonly route: R };
  };
}

/** Declares the problem body under the status of each of the route's errors. */
function problems<const R extends Route>(route: R): Record<ErrorStatus<R["errors"][number]>, typeof problem> {
  const statuses = route.errors.map((code: ErrorCode) => [errorCodes[code].status, problem]);
  // Object.fromEntries knows no literal keys; these are the statuses of the route's own codes.
  return Object.fromEntries(statuses) as Record<ErrorStatus<R["errors"][number]>, typeof problem>;
}
