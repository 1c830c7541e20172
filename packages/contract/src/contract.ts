import { type ContractNoBody, initContract } from "@ts-rest/core";
import * as z from "zod";
import { type ErrorCode, type ErrorStatus, errorCodes } from "./error-codes.ts";
import { type Route, routes } from "./routes.ts";
import { account } from "./schemas/account.ts";
import { positiveIntegerField, queryWithout } from "./schemas/fields.ts";
import { listWebsitesQuery, websitePage } from "./schemas/page.ts";
import { problem } from "./schemas/problem.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "./schemas/website.ts";

const c = initContract();

const websitePath = z.object({
  id: positiveIntegerField("the ID of a website").describe("ID of the website."),
});

const websiteEnvelope = z
  .strictObject({ data: website })
  .meta({ id: "WebsiteEnvelope", description: "One website record." });
const accountEnvelope = z
  .strictObject({ data: account })
  .meta({ id: "AccountEnvelope", description: "The account of the API key." });

/** The errors of every operation. A body that an operation takes no fields from is received too, up to the same size. */
const always = [
  "malformed_request",
  "unauthenticated",
  "insufficient_scope",
  "rate_limited",
  "body_too_large",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];

/** Every POST takes an idempotency key, and all others take conditions. */
const errorsOfMethods = {
  GET: ["precondition_failed"],
  POST: [
    "idempotency_in_progress",
    "idempotency_key_reused",
    "change_limit_reached",
    "unsupported_media_type",
    "validation_failed",
  ],
  PUT: ["precondition_failed", "change_limit_reached", "unsupported_media_type", "validation_failed"],
  DELETE: ["precondition_failed", "change_limit_reached"],
} as const satisfies Record<Route["method"], readonly ErrorCode[]>;

/** The entire interface. The server, the SDK and the CLI are checked against it. */
export const contract = c.router(
  {
    websites: {
      list: c.query({
        ...operation(routes.websites.list, "listWebsites", { 200: websitePage }, [
          "validation_failed",
          "cursor_expired",
        ]),
        summary: "List websites",
        description:
          "Returns a page of the account's websites, searched and sorted by the query. " +
          "To read all pages, follow `links.next`: it is equally fast at any depth " +
          "and neither repeats nor skips a record while other clients write. " +
          "To follow the changes of the account instead of reading all pages again, " +
          "send `meta.changes_cursor` as `changed_since`.",
        query: listWebsitesQuery,
      }),
      get: c.query({
        ...operation(routes.websites.get, "getWebsite", { 200: websiteEnvelope }),
        summary: "Get one website",
        description: "Returns one website.",
        pathParams: websitePath,
      }),
      create: c.mutation({
        ...operation(routes.websites.create, "createWebsite", { 201: websiteEnvelope }, [
          "domain_taken",
          "website_limit_reached",
        ]),
        summary: "Create a website",
        description:
          "Creates a website. The account must not have a website with this domain yet. " +
          "The domain cannot be changed later.",
        query: queryWithout(createWebsiteBody),
        contentType: "application/x-www-form-urlencoded",
        body: createWebsiteBody,
      }),
      update: c.mutation({
        ...operation(routes.websites.update, "updateWebsite", { 200: websiteEnvelope }),
        summary: "Update a website",
        description:
          "Changes the fields that the request contains. Omitted fields stay as they are. " +
          "Changing privacy from 2 to another value deletes the password.",
        pathParams: websitePath,
        query: queryWithout(createWebsiteBody),
        contentType: "application/x-www-form-urlencoded",
        body: updateWebsiteBody,
      }),
      delete: c.mutation({
        ...operation(routes.websites.delete, "deleteWebsite", { 204: c.noBody() }),
        summary: "Delete a website",
        description: "Deletes a website. Its ID is never reused.",
        pathParams: websitePath,
        body: c.noBody(),
      }),
    },
    account: {
      get: c.query({
        ...operation(routes.account.get, "getAccount", { 200: accountEnvelope }),
        summary: "Get the account of the API key",
        description: "Returns the account that the API key belongs to, and the scopes of the key.",
      }),
    },
  },
  { strictStatusCodes: true },
);

/** The type of the contract, against which an implementation is checked. */
export type Contract = typeof contract;

/**
 * Returns what follows from a route: the problem body under the status of each error, for a GET a 304 without a body, and the metadata,
 * which the server enforces and OpenAPI names.
 *
 * @param own the errors that do not follow from the method and the path
 */
function operation<const R extends Route, const Success>(
  route: R,
  operationId: string,
  success: Success,
  own: readonly ErrorCode[] = [],
) {
  const { method, path } = route;
  const errors: readonly ErrorCode[] = [
    ...always,
    ...errorsOfMethods[method],
    ...(path.includes(":id") ? (["not_found"] as const) : []),
    ...own,
  ];
  const problems = Object.fromEntries(errors.map((code) => [errorCodes[code].status, problem]));
  const notModified = method === "GET" ? { 304: c.noBody() } : {};
  const responses = { ...success, ...notModified, ...problems };
  // The compiler follows neither the method nor Object.fromEntries. An operation answers with some of these statuses.
  return { method, path, metadata: { route, operationId, errors }, responses } as {
    readonly method: R["method"];
    readonly path: R["path"];
    readonly metadata: { readonly route: R; readonly operationId: string; readonly errors: readonly ErrorCode[] };
    readonly responses: Success &
      Record<ErrorStatus, typeof problem> &
      Record<R["method"] extends "GET" ? 304 : never, typeof ContractNoBody>;
  };
}
