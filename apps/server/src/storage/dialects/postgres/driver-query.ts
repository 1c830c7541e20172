import type { CompiledQuery } from "kysely";
import type { QueryConfig } from "pg";
import { isAnnotated } from "../connection.ts";

/**
 * A query as the driver reads it. The driver copies the own properties of what it gets, which took 3 µs for the four of an object.
 * A read takes 30 µs of the process. Of getters it copies none.
 */
export class DriverQuery implements QueryConfig {
  readonly query: CompiledQuery;
  readonly isPrepared: boolean;

  constructor(query: CompiledQuery, preparesStatements: boolean) {
    this.query = query;
    this.isPrepared = preparesStatements && isPrepared(query);
  }

  get text(): string {
    return this.query.sql;
  }

  get values(): unknown[] {
    return [...this.query.parameters];
  }

  get name(): string | undefined {
    return this.isPrepared && isAnnotated(this.query) ? this.query.name : undefined;
  }

  get rowMode(): "array" | undefined {
    return isAnnotated(this.query) && this.query.readRows !== undefined ? "array" : undefined;
  }
}

/** Whether the server may keep the statement of the query. */
export function isPrepared(query: CompiledQuery<unknown>): boolean {
  return isAnnotated(query) && query.name !== undefined;
}
