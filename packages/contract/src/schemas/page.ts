import * as z from "zod";
import { choiceField, closedObject, namedChoiceField, positiveIntegerField, textField } from "./field.ts";
import { website } from "./website.ts";

/** How many records `page` may skip. Deeper reading goes by `cursor`, which costs the same at any depth. */
export const maxPageOffset = 100_000;

/** Up to how many matches of a search are counted exactly. */
export const maxExactTotal = 10_000;

/** The longest search term, in characters: no domain is longer. */
const maxSearchLength = 253;

/** The query of the list operation (interface, section 4, "List websites"). */
export const listWebsitesQuery = closedObject({
  search: textField("a search term")
    .max(maxSearchLength, {
      error: `is too long; send at most ${maxSearchLength} characters, the maximum length of a domain`,
    })
    .optional()
    .meta({
      description:
        "Substring of the domain, in any case. `%` and `_` are ordinary characters. An empty term counts as none.",
    }),
  search_by: namedChoiceField(["domain"]).default("domain").meta({ description: "The field that is searched." }),
  sort_by: namedChoiceField(["id", "domain"]).default("id").meta({
    description: "The sort key: `id` is the date created, `domain` the byte order of the ASCII domain.",
  }),
  sort: namedChoiceField(["desc", "asc"]).default("desc").meta({ description: "The direction." }),
  per_page: choiceField([10, 25, 50, 100], "10, 25, 50 or 100").default(10).meta({ description: "Records on a page." }),
  page: positiveIntegerField("a whole number of at least 1")
    .optional()
    .meta({
      description: `Page number, from 1 (the default). Not together with \`cursor\`. It may skip up to ${maxPageOffset} records.`,
    }),
  cursor: textField("a cursor from `meta.next_cursor` or `meta.prev_cursor`").optional().meta({
    description:
      "Where to go on: `meta.next_cursor` or `meta.prev_cursor` of an earlier page of the same list. Not together with `page`.",
  }),
})
  .refine((query) => query.page === undefined || query.cursor === undefined, {
    path: ["cursor"],
    error: "cannot be combined with page; send only one of the two",
    when: isObject,
  })
  .refine(({ page, per_page }) => !(Number.isInteger(page) && (Number(page) - 1) * per_page > maxPageOffset), {
    path: ["page"],
    error: `would skip more than ${maxPageOffset} records; follow \`links.next\` or send its \`cursor\` instead, which is equally fast at any depth`,
    when: isObject,
  })
  .meta({ description: "Which websites to list, in which order and how many at once." });

/** One page of a list of websites. */
export const websitePage = z
  .strictObject({
    data: z.array(website).meta({ description: "The records of this page, in the order asked for." }),
    links: z.strictObject({
      first: z.string().meta({ description: "URL of the first page." }),
      prev: z.string().nullable().meta({ description: "URL of the page before, by cursor; null on the first." }),
      next: z.string().nullable().meta({ description: "URL of the page after, by cursor; null on the last." }),
    }),
    meta: z.strictObject({
      per_page: z.literal([10, 25, 50, 100]).meta({ description: "Records on a full page." }),
      total: z
        .int()
        .min(0)
        .meta({
          description: `How many records match. Exact without a search, and with one up to ${maxExactTotal}.`,
        }),
      total_relation: z.enum(["eq", "gte"]).meta({
        description: "`eq`: `total` is exact. `gte`: there are at least that many.",
      }),
      current_page: z.int().min(1).nullable().meta({ description: "The page number; null under a cursor." }),
      last_page: z.int().min(1).nullable().meta({
        description: "The number of the last page; null under a cursor and where `total` is not exact.",
      }),
      next_cursor: z.string().nullable().meta({ description: "Position after this page; null on the last." }),
      prev_cursor: z.string().nullable().meta({ description: "Position before this page; null on the first." }),
    }),
  })
  .meta({ id: "WebsitePage", description: "One page of a list of websites." });

/** Every bad parameter is named at once, so the rules between parameters run even where one was refused. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}
