import type { Service } from "@siteward/testing/services/service";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Caller } from "./caller.ts";
import type { subjects } from "./subjects.ts";

/** Tries guarantees on a service. Each service has a file of its own, so that they are tried at the same time. */
export function tryGuarantees(open: () => Promise<Service>, tried: typeof subjects): void {
  let service: Service;
  beforeAll(async () => {
    service = await open();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  for (const [name, { guarantees, runsAlone }] of Object.entries(tried)) {
    describe(name, { concurrent: runsAlone === undefined }, () => {
      for (const [sentence, guarantee] of Object.entries(guarantees)) {
        test(sentence, () => guarantee(new Caller(service), service));
      }
    });
  }
}
