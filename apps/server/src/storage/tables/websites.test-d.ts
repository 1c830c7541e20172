import type { Website } from "@siteward/contract";
import { expectTypeOf } from "vitest";
import type { websiteRecord } from "./websites.ts";

// A column that no field of the contract shows is `stored`, or the API would show it.
expectTypeOf<ReturnType<typeof websiteRecord.fromRow>>().toEqualTypeOf<Website>();
