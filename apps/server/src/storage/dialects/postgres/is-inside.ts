import { sql } from "kysely";
import type { IsInside } from "../../tables/website-match.ts";

/** A term has no character with a special meaning in a pattern. The engine knows the pattern when it chooses a plan. */
export const isInside: IsInside = (column, term) => sql`${sql.ref(column)} like ${`%${term}%`}`;
