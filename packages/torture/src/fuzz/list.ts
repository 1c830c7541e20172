import { listWebsitesQuery, type Website, type WebsitePage, websitePage } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import { type AccountModel, compare, type KeptCursor, keepCursor, type ListOrder, listAll } from "./account-model.ts";
import { chooseQuery } from "./choose-query.ts";
import { judgeProblem, readRefusedFields } from "./judge-problem.ts";
import type { Operation, Subject } from "./operation.ts";
import { refusedFields } from "./website-fields.ts";

/** Reads a page of the websites. */
export function list(subject: Subject): Operation {
  const { random, model, apiKey, readingKey } = subject;
  const { text, decoded, cursor } = chooseQuery(subject);
  const parsed = listWebsitesQuery.safeParse(decoded);
  const refused = parsed.success ? [] : refusedFields(parsed.error.issues);
  return {
    method: "GET",
    path: `/api/v1/websites${text}`,
    apiKey: random.chance(0.9) ? apiKey : readingKey,
    judge: (answer) => {
      if (!parsed.success) return judgeRefused(answer, refused);
      const order = toOrder(parsed.data);
      if (parsed.data.cursor !== undefined && !isOf(cursor, order)) return judgeRefused(answer, ["cursor"]);
      if (answer.status !== 200) return ["it should be listed"];
      const { data: page } = websitePage.safeParse(answer.json);
      return page === undefined ? [] : judgePage(page, model, { order, query: parsed.data, cursor });
    },
  };
}

type Query = ReturnType<typeof listWebsitesQuery.parse>;

interface List {
  readonly order: ListOrder;
  readonly query: Query;
  readonly cursor: KeptCursor | undefined;
}

function toOrder({ search = "", sort_by, sort }: Query): ListOrder {
  return { sortBy: sort_by, sort, term: search.trim().toLowerCase() };
}

function isOf(cursor: KeptCursor | undefined, { sortBy, sort, term }: ListOrder): cursor is KeptCursor {
  return cursor?.sortBy === sortBy && cursor.sort === sort && cursor.term === term;
}

function judgeRefused(answer: RawAnswer, fields: readonly string[]): string[] {
  const named = readRefusedFields(answer).join();
  const isNamed = named === fields.join();
  return [
    ...judgeProblem(answer, ["validation_failed"]),
    ...(isNamed ? [] : [`it should name ${fields}, not ${named}`]),
  ];
}

function judgePage(page: WebsitePage, model: AccountModel, { order, query, cursor }: List): string[] {
  const { data, links, meta } = page;
  keepCursors(page, model, order);
  // The contract decides how a search in other scripts is read. The shape of the answer was already checked.
  if (/[^\u0020-\u007e]/.test(order.term)) return [];
  const all = listAll(model, order);
  const { websites, before, after } = slice(all, order, { query, cursor });
  const isCounted = query.cursor === undefined;
  const wanted: [string, unknown, unknown][] = [
    ["data", data, websites],
    ["meta.total", meta.total, all.length],
    ["meta.total_relation", meta.total_relation, "eq"],
    ["meta.per_page", meta.per_page, query.per_page],
    ["meta.current_page", meta.current_page, isCounted ? (query.page ?? 1) : null],
    ["meta.last_page", meta.last_page, isCounted ? Math.max(1, Math.ceil(all.length / query.per_page)) : null],
    ["next_cursor is null", meta.next_cursor === null, after === 0],
    ["links.next", readCursor(links.next), meta.next_cursor],
    ["links.prev", readCursor(links.prev), meta.prev_cursor],
  ];
  // An empty page has no neighbouring record that a cursor could name.
  if (data.length > 0) wanted.push(["prev_cursor is null", meta.prev_cursor === null, before === 0]);
  return wanted.flatMap(([name, found, should]) =>
    sameJson(found, should) ? [] : [`${name} should be ${JSON.stringify(should)}, not ${JSON.stringify(found)}`],
  );
}

/** Returns the records of the page, and how many records of the list are before and after them. */
function slice(all: readonly Website[], order: ListOrder, { query, cursor }: Pick<List, "query" | "cursor">) {
  const size = query.per_page;
  const count = all.length;
  const [start, end] =
    query.cursor === undefined || cursor === undefined
      ? [((query.page ?? 1) - 1) * size, (query.page ?? 1) * size]
      : cursor.isForward
        ? [countUpTo(all, order, cursor.key), countUpTo(all, order, cursor.key) + size]
        : [Math.max(0, countBefore(all, order, cursor.key) - size), countBefore(all, order, cursor.key)];
  return { websites: all.slice(start, end), before: Math.min(start, count), after: Math.max(0, count - end) };
}

function countUpTo(all: readonly Website[], order: ListOrder, key: KeptCursor["key"]): number {
  return all.filter((website) => direction(order) * compare(website[order.sortBy], key) <= 0).length;
}

function countBefore(all: readonly Website[], order: ListOrder, key: KeptCursor["key"]): number {
  return all.filter((website) => direction(order) * compare(website[order.sortBy], key) < 0).length;
}

function direction({ sort }: ListOrder): 1 | -1 {
  return sort === "asc" ? 1 : -1;
}

function keepCursors({ data, meta }: WebsitePage, model: AccountModel, order: ListOrder): void {
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) return;
  const { next_cursor: next, prev_cursor: previous } = meta;
  if (next !== null) keepCursor(model, { ...order, text: next, key: last[order.sortBy], isForward: true });
  if (previous !== null) keepCursor(model, { ...order, text: previous, key: first[order.sortBy], isForward: false });
}

function readCursor(link: string | null): string | null {
  return link === null ? null : new URL(link).searchParams.get("cursor");
}

function sameJson(left: unknown, right: unknown): boolean {
  return left === right || canonical(left) === canonical(right);
}

/** Writes JSON with sorted members, so that only values count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
