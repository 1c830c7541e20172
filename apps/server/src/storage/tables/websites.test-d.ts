import type { Website } from "@siteward/contract";
import { expectTypeOf } from "vitest";
import type { websiteRecord } from "./websites.ts";

/** Fields that are read-only for clients are not read-only here. */
type Stored = { -readonly [Field in keyof Website]: Website[Field] };

// A column that no field of the contract shows is `stored`, or the API would show it.
expectTypeOf<ReturnType<typeof websiteRecord.fromRow>>().toEqualTypeOf<Stored>();
