import { afterAll, beforeAll, describe, test } from "vitest";
import { authentication } from "./guarantees/authentication.ts";
import { bodies } from "./guarantees/bodies.ts";
import { changing } from "./guarantees/changing.ts";
import { conditions } from "./guarantees/conditions.ts";
import { creating } from "./guarantees/creating.ts";
import type { Guarantees } from "./guarantees/guarantee.ts";
import { idempotency } from "./guarantees/idempotency.ts";
import { listing } from "./guarantees/listing.ts";
import { paths } from "./guarantees/paths.ts";
import { rateLimits } from "./guarantees/rate-limits.ts";
import { startBuiltService } from "./support/service/built-service.ts";
import { openFakeService } from "./support/service/fake-service.ts";
import type { Service } from "./support/service/service.ts";

/** What the API promises, by subject. */
const subjects: Readonly<Record<string, Guarantees>> = {
  authentication,
  "create, list and read": { ...creating, ...listing },
  "update and delete": changing,
  conditions,
  "idempotency keys": idempotency,
  "request bodies": bodies,
  "paths and methods": paths,
  "rate limits": rateLimits,
};

/** The same guarantees on each, so that the fake can replace the server in a test. */
const services = {
  "the built server on SQLite": () => startBuiltService(),
  "the built server on PostgreSQL": () => startBuiltService(fetch, "PostgreSQL"),
  "the fake": async () => openFakeService(),
};

describe.each(Object.entries(services))("%s", (_, open) => {
  let service: Service;
  beforeAll(async () => {
    service = await open();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  describe.each(Object.entries(subjects))("%s", (_, guarantees) => {
    test.each(Object.entries(guarantees))("%s", (_, guarantee) => guarantee(service));
  });
});
