import { sql } from "kysely";
import type { Database, ReadConnection } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import {
  type AnchoredList,
  anchorStep,
  countCreates,
  findAnchor,
  insertKeys,
  isSameState,
  type ListAnchor,
  ListAnchors,
  type ListName,
  type ListState,
} from "./list-anchors.ts";

/** Reads a page that starts some records after an anchor, or after the beginning of the list if there is no anchor. */
type ReadPage<Page> = (anchor: ListAnchor | undefined, skip: number) => Promise<Page>;

/**
 * Returns a function that reads a page at a place deep in a list. An engine can only skip records one at a time, which takes 3
 * to 10 ms for 100,000. So the process remembers the key at every 1,000th place, and a page skips less than 1,000 records. The
 * page itself says in which state of the account it was read. If websites were created since the anchors were read, they are
 * moved. If websites were deleted, they are read again.
 */
export function prepareDeepPage(database: Database) {
  const lists = new ListAnchors(database.now);
  const reach = prepareReach(database);
  const catchUp = prepareCatchUp(database);
  return async <Page extends { readonly state: ListState } | undefined>(
    reader: ReadConnection,
    { name, place }: { readonly name: ListName; readonly place: number },
    read: ReadPage<Page>,
  ): Promise<Page> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const known = await reach(reader, name, { known: lists.get(name), place });
      if (known === undefined) break;
      lists.set(name, known);
      const anchor = findAnchor(known, place);
      const page = await read(anchor, place - (anchor?.place ?? 0));
      if (page === undefined || isSameState(page.state, known.state)) return page;
      const moved = await catchUp(reader, name, { known, state: page.state });
      if (moved === undefined) lists.delete(name);
      else lists.set(name, moved);
    }
    return read(undefined, place);
  };
}

/** Others may write between the reads of anchors and of the page. After these attempts, records are skipped one at a time. */
const maxAttempts = 3;

/** Returns anchors that reach the place. Reads those that are missing, or all if the state has changed. */
function prepareReach(database: Database) {
  const extend = prepareExtend(database);
  return async (
    reader: ReadConnection,
    name: ListName,
    { known, place }: { readonly known: AnchoredList | undefined; readonly place: number },
  ): Promise<AnchoredList | undefined> => {
    if (known === undefined) return extend(reader, name, { known, place });
    const last = known.anchors.at(-1)?.place ?? 0;
    if (Math.min(place, known.state.total - 1) - last < anchorStep) return known;
    return (await extend(reader, name, { known, place })) ?? extend(reader, name, { known: undefined, place });
  };
}

/**
 * Reads the anchors up to a place in one query, from the last known one on. Returns undefined if the account has no websites,
 * or is not in the known state any more.
 */
function prepareExtend({ build }: Database) {
  const queries = new Map<string, ReturnType<typeof prepareChain>>();
  return async (
    reader: ReadConnection,
    name: ListName,
    { known, place }: { readonly known: AnchoredList | undefined; readonly place: number },
  ): Promise<AnchoredList | undefined> => {
    const { accountId, sortBy, order } = name;
    const last = known?.anchors.at(-1);
    const shape = `${sortBy} ${order} ${last === undefined}`;
    const query = queries.get(shape) ?? prepareChain(build, name, last === undefined);
    queries.set(shape, query);
    const rows = await reader.read(query({ accountId, place, fromPlace: last?.place ?? 0, fromKey: last?.key ?? 0 }));
    const [first] = rows;
    if (first === undefined) return undefined;
    const state = { created: Number(first.created), total: Number(first.total) };
    const read = rows
      .map((row) => ({ place: Number(row.place), key: sortBy === "id" ? Number(row.key) : row.key }))
      .toSorted((left, right) => left.place - right.place);
    if (known === undefined) return { state, anchors: read };
    // The first row repeats the last known anchor.
    return isSameState(known.state, state) ? { state, anchors: [...known.anchors, ...read.slice(1)] } : undefined;
  };
}

interface ChainArguments {
  readonly accountId: number;
  readonly place: number;
  readonly fromPlace: number;
  readonly fromKey: number | string;
}

interface ChainRow extends ListState {
  readonly place: number;
  readonly key: number | string;
}

function prepareChain(build: Database["build"], { sortBy, order }: ListName, isFromStart: boolean) {
  return prepare((value: Placeholder<ChainArguments>) => {
    const key = sql.ref(`websites.${sortBy}`);
    const own = sql`from websites where websites.account_id = ${value("accountId")}`;
    const inOrder = sql`order by ${key} ${sql.raw(order)} limit 1`;
    // The query selects the known key, because PostgreSQL knows the type and the collation of a column.
    const start = isFromStart
      ? sql`(select ${key} ${own} ${inOrder})`
      : sql`(select ${key} ${own} and ${key} = ${value("fromKey")})`;
    const isAfter = sql`${key} ${sql.raw(order === "asc" ? ">" : "<")} anchors.sort_key`;
    const next = sql`(select ${key} ${own} and ${isAfter} ${inOrder} offset ${sql.lit(anchorStep - 1)})`;
    const query = sql<ChainRow>`with recursive anchors (place, sort_key) as (
      select cast(${isFromStart ? sql.lit(0) : value("fromPlace")} as bigint), ${start}
      union all select anchors.place + ${sql.lit(anchorStep)}, ${next} from anchors
      where anchors.sort_key is not null and anchors.place + ${sql.lit(anchorStep)} <= ${value("place")}
    ) select place, sort_key as "key", last_website_id as created, website_count as total
      from anchors cross join accounts where accounts.id = ${value("accountId")} and sort_key is not null`;
    return { compile: () => query.compile(build) };
  });
}

/** Moves the anchors of an earlier state by the websites that were created since. */
function prepareCatchUp({ build }: Database) {
  return async (
    reader: ReadConnection,
    name: ListName,
    { known, state }: { readonly known: AnchoredList; readonly state: ListState },
  ): Promise<AnchoredList | undefined> => {
    const creates = countCreates(known.state, state);
    if (creates === undefined) return undefined;
    const rows = await reader.read(
      build
        .selectFrom("websites")
        .select(["id", "domain"])
        .where("account_id", "=", name.accountId)
        .where("id", ">", known.state.created)
        .where("id", "<=", state.created),
    );
    // Another one was deleted since the page was read.
    if (rows.length < creates) return undefined;
    const keys = rows.map((row) => row[name.sortBy]);
    const anchors = insertKeys(known, name, keys);
    return anchors === undefined ? undefined : { state, anchors };
  };
}
