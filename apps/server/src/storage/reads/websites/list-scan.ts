import type { ListPosition, WebsiteListRequest } from "@siteward/service";
import type { KeyBound, KeyOperator } from "../../tables/website-match.ts";

/** How to read a page of a list: the direction and the start. */
export interface ListScan {
  readonly order: "asc" | "desc";
  readonly isBackward: boolean;
  readonly bound: KeyBound | undefined;
  /** How many records to skip. */
  readonly offset: number;
}

/** Decides how to read the requested page. */
export function toListScan({ sort, perPage, start }: WebsiteListRequest): ListScan {
  if ("page" in start) {
    return { order: sort, isBackward: false, bound: undefined, offset: (start.page - 1) * perPage };
  }
  const isBackward = start.direction === "backward";
  const order = isBackward ? reverse(sort) : sort;
  return { order, isBackward, bound: toBound(start.position, order, isBackward), offset: 0 };
}

/** Returns the scan of the records before the start of this one. */
export function reverseScan({ order, bound, isBackward }: ListScan): ListScan {
  return {
    order: reverse(order),
    isBackward: !isBackward,
    bound: bound === undefined ? undefined : { operator: complements[bound.operator], key: bound.key },
    offset: 0,
  };
}

const complements: Readonly<Record<KeyOperator, KeyOperator>> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

function toBound({ key, side }: ListPosition, order: "asc" | "desc", isBackward: boolean): KeyBound {
  const includesKey = (side === "after") === isBackward;
  if (order === "asc") return { operator: includesKey ? ">=" : ">", key };
  return { operator: includesKey ? "<=" : "<", key };
}

function reverse(order: "asc" | "desc"): "asc" | "desc" {
  return order === "asc" ? "desc" : "asc";
}
