import { engineNames } from "@siteward/testing/engines/database";
import { openFakeService } from "@siteward/testing/services/fake-service";
import { startServerService } from "@siteward/testing/services/server-service";
import type { Service } from "@siteward/testing/services/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ability, Subject } from "./guarantees/guarantee.ts";
import { subjects } from "./guarantees/subjects.ts";

interface TriedService {
  readonly open: () => Promise<Service>;
  readonly abilities: readonly Ability[];
}

const ofServer: readonly Ability[] = ["accounts", "compression", "connections", "pages"];

/** The same guarantees on each, so that the fake can replace the server in a test. */
const services: Readonly<Record<string, TriedService>> = {
  ...Object.fromEntries(
    engineNames.map((name) => [
      `the built server on ${name}`,
      { open: () => startServerService(name), abilities: ofServer },
    ]),
  ),
  "memory, behind the fake's fetch": { open: async () => openFakeService(), abilities: [] },
};

describe.each(Object.entries(services))("%s", (_, tried) => {
  let service: Service;
  beforeAll(async () => {
    service = await tried.open();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  for (const [name, subject] of Object.entries(subjects)) {
    if (!canGive(tried, subject)) continue;
    describe(name, { concurrent: subject.runsAlone === undefined }, () => {
      for (const [sentence, guarantee] of Object.entries(subject.guarantees)) test(sentence, () => guarantee(service));
    });
  }
});

test("no guarantee is left out on a server, and on memory only those that need what it cannot do", () => {
  const leftOut = Object.values(services).map((tried) =>
    Object.entries(subjects).flatMap(([name, subject]) => (canGive(tried, subject) ? [] : [name])),
  );
  const ofMemory = ["several accounts", "compressed bodies", "bytes on a connection", "pages outside of the API"];
  expect(leftOut).toEqual([...engineNames.map(() => []), ofMemory]);
});

function canGive({ abilities }: TriedService, { needs }: Subject): boolean {
  return needs === undefined || abilities.includes(needs);
}
