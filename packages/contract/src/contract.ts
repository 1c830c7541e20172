import { type ContractNoBody, initContract } from "@ts-rest/core";
import * as z from "zod";
import { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
import { type Route, routes } from "./routes.ts";
import { account } from "./schemas/account.ts";
import { positiveIntegerField } from "./schemas/fields.ts";
import { listWebsitesQuery, websitePage } from "./schemas/page.ts";
import { problem } from "./schemas/problem.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "./schemas/website.ts";

const c = initContract();

const websitePath = z.object({
  id: positiveIntegerField("the ID of a website").meta({
    description: "ID of the website.",
  }),
});

const websiteEnvelope = z
  .strictObject({ data: website })
  .meta({ id: "WebsiteEnvelope", description: "One website record." });
const accountEnvelope = z
  .strictObject({ data: account })
  .meta({ id: "AccountEnvelope", description: "The account of the API key." });

type Routes = typeof routes;

/** One entry for each route, built from that route: an entry that is forgotten, or built from another route, does not compile. */
type EntryOfEachRoute = {
  readonly [Resource in keyof Routes]: {
    readonly [Name in keyof Routes[Resource]]: { readonly metadata: { readonly route: Routes[Resource][Name] } };
  };
};

/** The entire interface: routes, schemas and every declared status. The server, the SDK and the CLI are checked against it. */
export const contract = c.router(
  {
    websites: {
      list: c.query({
        ...operation(routes.websites.list, "listWebsites"),
        summary: "List websites",
        description:
          "Returns a page of the account's websites, searched and sorted by the query. " +
          "To read all pages, follow `links.next`: it is equally fast at any depth " +
          "and neither repeats nor skips a record while other clients write. " +
          "To follow the changes of the account instead of reading all pages again, " +
          "send `meta.changes_cursor` as `changed_since`.",
        query: listWebsitesQuery,
        responses: { 200: websitePage, ...otherAnswers(routes.websites.list) },
      }),
      get: c.query({
        ...operation(routes.websites.get, "getWebsite"),
        summary: "Get one website",
        description: "Returns one website.",
        pathParams: websitePath,
        responses: { 200: websiteEnvelope, ...otherAnswers(routes.websites.get) },
      }),
      create: c.mutation({
        ...operation(routes.websites.create, "createWebsite"),
        summary: "Create a website",
        description:
          "Creates a website. The account must not have a website with this domain yet. " +
          "The domain cannot be changed later.",
        contentType: "application/x-www-form-urlencoded",
        body: createWebsiteBody,
        responses: { 201: websiteEnvelope, ...otherAnswers(routes.websites.create) },
      }),
      update: c.mutation({
        ...operation(routes.websites.update, "updateWebsite"),
        summary: "Update a website",
        description:
          "Changes the fields that the request contains. Omitted fields stay as they are. " +
          "Changing privacy from 2 to another value deletes the password.",
        pathParams: websitePath,
        contentType: "application/x-www-form-urlencoded",
        body: updateWebsiteBody,
        responses: { 200: websiteEnvelope, ...otherAnswers(routes.websites.update) },
      }),
      delete: c.mutation({
        ...operation(routes.websites.delete, "deleteWebsite"),
        summary: "Delete a website",
        description: "Deletes a website. Its ID is never reused.",
        pathParams: websitePath,
        body: c.noBody(),
        responses: { 204: c.noBody(), ...otherAnswers(routes.websites.delete) },
      }),
    },
    account: {
      get: c.query({
        ...operation(routes.account.get, "getAccount"),
        summary: "Get the account of the API key",
        description: "Returns the account that the API key belongs to, and the scopes of the key.",
        responses: { 200: accountEnvelope, ...otherAnswers(routes.account.get) },
      }),
    },
  } satisfies EntryOfEachRoute,
  { strictStatusCodes: true },
);

/** The type of the contract, against which an implementation is checked. */
export type Contract = typeof contract;

/** Returns method and path of a route. The metadata contains the entire route, which the server enforces, and its name in OpenAPI. */
function operation<const R extends Route>(route: R, operationId: string) {
  return { method: route.method, path: route.path, metadata: { route, operationId } } as {
    readonly method: R["method"];
    readonly path: R["path"];
    readonly metadata: { readonly route: R; readonly operationId: string };
  };
}

/** Declares the problem body under the status of each of the route's errors, and for a GET, a 304 without a body. */
function otherAnswers<const R extends Route>(route: R): OtherAnswers<R> {
  const problems = route.errors.map((code: ErrorCode) => [errorCodes[code].status, problem]);
  const notModified = route.method === "GET" ? { 304: c.noBody() } : {};
  // Object.fromEntries loses literal keys, and the compiler does not follow the method. These are the statuses of the route.
  return { ...notModified, ...Object.fromEntries(problems) } as OtherAnswers<R>;
}

/** Records, because the compiler turns the key 304 of an object type into a string when it is spread. */
type OtherAnswers<R extends Route> = Record<ErrorStatus<R["errors"][number]>, typeof problem> &
  Record<R["method"] extends "GET" ? 304 : never, typeof ContractNoBody>;
