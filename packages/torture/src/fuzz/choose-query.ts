import type { Random } from "../random.ts";
import type { KeptCursor } from "./account-model.ts";
import { pickDomain } from "./field-values.ts";
import type { Subject } from "./operation.ts";
import { wildText } from "./wild-text.ts";

export interface ChosenQuery {
  /** The query with its question mark. Empty means no query. */
  readonly text: string;
  readonly decoded: Record<string, string | string[]>;
  readonly cursor: KeptCursor | undefined;
}

/** Chooses a query of a list, often with a cursor of an earlier page of this or another account. */
export function chooseQuery({ random, model, everyone }: Subject): ChosenQuery {
  const others = random.chance(0.1) ? random.pick(everyone).cursors : model.cursors;
  const cursor = others.length > 0 && random.chance(0.4) ? random.pick(others) : undefined;
  const isOtherList = cursor === undefined || random.chance(0.05);
  const query = {
    ...(isOtherList ? chooseList(random) : toQuery(cursor)),
    ...choosePlace(random, cursor),
    ...chooseFaults(random),
  };
  return { text: write(random, query), decoded: query, cursor };
}

type Query = Record<string, string | string[]>;

function toQuery({ sortBy, sort, term }: KeptCursor): Query {
  return { sort_by: sortBy, sort, ...(term === "" ? {} : { search: term }) };
}

function chooseList(random: Random): Query {
  const query: Query = {};
  if (random.chance(0.5)) query["sort_by"] = odd(random, ["id", "domain"], ["", "ID", "name"]);
  if (random.chance(0.5)) query["sort"] = odd(random, ["asc", "desc"], ["", "ASC", "up"]);
  if (random.chance(0.5)) query["search"] = searchTerm(random);
  if (random.chance(0.1)) query["search_by"] = odd(random, ["domain"], ["id", ""]);
  return query;
}

function choosePlace(random: Random, cursor: KeptCursor | undefined): Query {
  const query: Query = {};
  const sizes = ["10", "25", "50", "100"];
  if (random.chance(0.6)) query["per_page"] = odd(random, sizes, ["0", "11", "", "010", "1e2", "-10"]);
  if (cursor !== undefined) query["cursor"] = cursor.text;
  else if (random.chance(0.02)) query["cursor"] = random.pick(["", "x", "W10", "e30", wildText(random)]);
  if (random.chance(cursor === undefined ? 0.3 : 0.02)) {
    query["page"] = odd(random, ["1", "2", "3", "9", "1000"], ["0", "-1", "", "1.5", "10002", "9".repeat(20), "a"]);
  }
  return query;
}

function chooseFaults(random: Random): Query {
  const unknown = random.pick(["Page", "limit", "constructor", "sort_by[]x"]);
  return {
    ...(random.chance(0.01) ? { [unknown]: "1" } : {}),
    ...(random.chance(0.01) ? { sort: ["asc", "asc"] } : {}),
  };
}

function odd(random: Random, usual: readonly string[], others: readonly string[]): string {
  return random.chance(0.97) ? random.pick(usual) : random.pick(others);
}

function searchTerm(random: Random): string {
  const kind = random.integer(1, 20);
  if (kind === 1)
    return random.pick(["", " ", "%", "_", "%%", "xn--", "büch", "..", "-", "x".repeat(254), wildText(random)]);
  const domain = pickDomain(random);
  const start = random.integer(0, domain.length - 1);
  const term = domain.slice(start, start + random.integer(1, 8));
  return random.chance(0.3) ? term.toUpperCase() : term;
}

function write(random: Random, query: Readonly<Record<string, string | string[]>>): string {
  const pairs = random
    .shuffle(Object.entries(query))
    .flatMap(([name, value]) => [value].flat().map((entry) => `${name}=${encodeURIComponent(entry)}`));
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
