import * as z from "zod";
import { maxDomainLength } from "../grammars/domain.ts";
import { choiceField, closedObject, namedChoiceField, positiveIntegerField, textField } from "./fields.ts";
import { website } from "./website.ts";

/** How many records `page` can skip. To read deeper, use `cursor`, which is equally fast at any depth. */
export const maxPageOffset = 100_000;

/** The largest number of matches of a search that is counted exactly. */
export const maxExactTotal = 10_000;

/** The order of a list whose query does not say otherwise. */
export const defaultOrder = { sort_by: "id", sort: "desc" } as const;

/** The query of the list operation (docs/interface.md, section 4, "List websites"). */
export const listWebsitesQuery = closedObject({
  search: textField("a search term")
    .max(maxDomainLength, {
      error: `is too long; send at most ${maxDomainLength} characters, the maximum length of a domain`,
    })
    .optional()
    .describe(
      "Part of the domain, case-insensitive. A term in Unicode, such as `münch`, finds a part of the Unicode form. " +
        "`%` and `_` are ordinary characters. An empty term counts as not sent.",
    ),
  search_by: namedChoiceField(["domain"]).default("domain").describe("The field to search."),
  sort_by: namedChoiceField(["id", "domain"]).optional().meta({
    default: defaultOrder.sort_by,
    description: "The field to sort by: `id` sorts by date created, `domain` by the bytes of the ASCII domain.",
  }),
  sort: namedChoiceField(["desc", "asc"]).optional().meta({
    default: defaultOrder.sort,
    description: "The sort direction.",
  }),
  per_page: choiceField([10, 25, 50, 100], "10, 25, 50 or 100").default(10).describe("Number of records on a page."),
  page: pageNumberField()
    .optional()
    .meta({
      minimum: 0,
      description:
        "Page number; the default is 1. 0 and an empty value mean 1. Cannot be combined with `cursor`. " +
        `\`(page - 1) × per_page\` is at most ${maxPageOffset}; to read deeper, use \`cursor\`.`,
    }),
  cursor: textField("a cursor from meta.next_cursor or meta.prev_cursor")
    .optional()
    .describe(
      "Where to continue: `meta.next_cursor` or `meta.prev_cursor` of an earlier page of the same list. " +
        "Cannot be combined with `page`.",
    ),
  changed_since: textField("a cursor from meta.changes_cursor")
    .optional()
    .describe(
      "Returns only what changed since then: `meta.changes_cursor` of an earlier page. " +
        "`data` has the websites that were created or updated, in order of change, and `meta.deleted_ids` the IDs of " +
        "those that were deleted. Cannot be combined with `search`, `sort_by`, `sort` or `page`.",
    ),
  entity_tags: choiceField([0, 1], "0 or 1")
    .default(0)
    .describe("Whether the page has the entity tags of its records: 0 = No, 1 = Yes, in `meta.entity_tags`."),
})
  .superRefine(
    (query, context) => {
      for (const [name, message] of findConflicts(query)) context.addIssue({ code: "custom", path: [name], message });
    },
    // The response names every invalid parameter at once, so the rules between parameters also run if one is invalid.
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .describe("Which websites to list, in which order, and how many on a page.");

/** One page of a list of websites. */
export const websitePage = z
  .strictObject({
    data: z.array(website).describe("The records of this page, in the requested order."),
    links: z
      .strictObject({
        first: z.string().describe("URL of the first page."),
        prev: z.string().nullable().describe("URL of the previous page, by cursor; null on the first page."),
        next: z.string().nullable().describe("URL of the next page, by cursor; null on the last page."),
      })
      .describe("URLs of the first, the previous and the next page."),
    meta: z
      .strictObject({
        per_page: z.literal([10, 25, 50, 100]).describe("Number of records on a full page."),
        total: z
          .int()
          .min(0)
          .describe(
            "Number of matching records. Always exact without a search; " +
              `with a search, exact up to ${maxExactTotal}. With \`changed_since\`, of all websites of the account.`,
          ),
        total_relation: z
          .enum(["eq", "gte"])
          .describe("`eq`: `total` is exact. `gte`: at least `total` records match."),
        current_page: z.int().min(1).nullable().describe("The page number; null if the request has a cursor."),
        last_page: z
          .int()
          .min(1)
          .nullable()
          .describe("The number of the last page; null if the request has a cursor or `total` is not exact."),
        next_cursor: z.string().nullable().describe("Cursor of the next page; null on the last page."),
        prev_cursor: z.string().nullable().describe("Cursor of the previous page; null on the first page."),
        changes_cursor: z
          .string()
          .describe(
            "Where the changes after this page begin: send it as `changed_since`. On a page of a list, it is never " +
              "after the records of the page, so nothing that changes since is missed.",
          ),
        deleted_ids: z
          .array(z.int())
          .optional()
          .describe("The IDs of the websites that were deleted. Present if the request has `changed_since`."),
        entity_tags: z
          .array(z.string())
          .optional()
          .describe(
            "The entity tags of the records, in the order of `data`, for `If-Match`. " +
              "Present if the request has `entity_tags` 1.",
          ),
      })
      .describe("The size and the number of the page, the number of matches, and the cursors of its neighbors."),
  })
  .meta({ id: "WebsitePage", description: "One page of a list of websites." });

/** Which websites to list, in which order, and how many on a page. */
export type ListWebsites = z.input<typeof listWebsitesQuery>;

/** One page of a list of websites. */
export type WebsitePage = z.output<typeof websitePage>;

/** Clients of this interface send 0 or an empty value for their first page. */
function pageNumberField() {
  const schema = positiveIntegerField("a whole number of at least 1");
  const isFirst = (value: unknown) => value === "" || value === "0" || value === 0;
  // Preprocessing types the input as unknown. It accepts what the schema accepts, and what it turns into 1.
  return z.preprocess((value) => (isFirst(value) ? 1 : value), schema) as unknown as typeof schema;
}

type SentQuery = { readonly [Name in keyof ListWebsites]?: unknown };

/** Returns each parameter that another one rules out, with the reason. An empty search counts as not sent. */
function findConflicts(query: SentQuery): (readonly [name: string, reason: string])[] {
  const { page, per_page, cursor, changed_since } = query;
  const narrowing = (["search", "sort_by", "sort", "page"] as const).filter((name) => (query[name] ?? "") !== "");
  const isTooDeep = Number.isInteger(page) && (Number(page) - 1) * Number(per_page) > maxPageOffset;
  return [
    ...(page !== undefined && cursor !== undefined
      ? [["cursor", "cannot be combined with page; send only one of the two"] as const]
      : []),
    ...(changed_since === undefined ? [] : narrowing).map((name) => [name, notWithChanges] as const),
    ...(isTooDeep ? [["page", tooDeep] as const] : []),
  ];
}

const notWithChanges =
  "cannot be combined with changed_since, which returns all changes in their order; send only one of the two";
const tooDeep =
  `would skip more than ${maxPageOffset} records; ` +
  "follow links.next or send its cursor instead, which is equally fast at any depth";
