import { inspect } from "node:util";
import { Siteward } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attack, type Outcome, toOutcome } from "./support/hostile/attack.ts";
import { brokenAnswers } from "./support/hostile/broken-answers.ts";
import { type HostileServer, startHostileServer } from "./support/hostile/hostile-server.ts";
import { operations } from "./support/hostile/operations.ts";
import { respond, rightAnswerTo } from "./support/hostile/right-answer.ts";
import { listRedirects, storms, wrongAnswers } from "./support/hostile/wrong-answers.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";

const apiKey = "swk_1234567890abcdefghijklmnopqrstuvwxyz1234567";
const maxRetries = 1;
/** An upsert is repeated this often if others seem to create and delete its website all the time. */
const maxUpsertRequests = 100;
/** Long enough for an answer on a busy machine. */
const patientMs = 60_000;
const impatientMs = 400;
/** Their servers run in this process, which has to read each request before the impatient give up. */
const attacksAtOnce = 32;

/** What came of one attack on every operation. */
interface Report {
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly errors: readonly unknown[];
  readonly server: HostileServer;
}

/** Receives what should never be sent to another origin. */
let elsewhere: HostileServer;
const reports = new Map<string, Report>();
const servers = new AsyncDisposableStack();

beforeAll(async () => {
  elsewhere = servers.use(
    await startHostileServer({ onRequest: (socket, request) => socket.write(respond(rightAnswerTo(request))) }),
  );
  await mapConcurrently(Object.entries(listAttacks(elsewhere.url)), attacksAtOnce, async ([name, attack]) => {
    reports.set(name, await callEverything(servers.use(await startHostileServer(attack)), attack));
  });
});

afterAll(() => servers.disposeAsync());

test.each(Object.entries(listAttacks("http://unused")))(
  "a server that %s: every call ends in time, with the documented error",
  (name, { outcomes, exceptions = {} }) => {
    for (const [operation, outcome] of Object.entries(reportOf(name).outcomes)) {
      expect(exceptions[operation] ?? outcomes, operation).toContain(outcome);
    }
  },
);

describe("whatever a server does", () => {
  test("it gets no request more often than it may be retried", () => {
    for (const [name, { server }] of reports) {
      const most = Object.keys(operations).length * (1 + maxRetries) + maxUpsertRequests;
      expect(server.requests.length, name).toBeLessThanOrEqual(most);
    }
  });

  test("it gets every attempt of a create with the same idempotency key, so it can create nothing twice", () => {
    const retried = [...reports].filter(([name, { server }]) => {
      const creates = server.requests.filter(({ method, body }) => method === "POST" && body.includes('"example.com"'));
      const keys = new Set(creates.map(({ headers }) => headers.get("idempotency-key") ?? "none"));
      expect(keys, name).not.toContain("none");
      expect(keys.size, name).toBeLessThanOrEqual(1);
      return creates.length > 1;
    });
    expect(retried.length).toBeGreaterThan(10);
  });

  test("the API key is in no error", () => {
    for (const error of [...reports.values()].flatMap(({ errors }) => errors)) {
      expect(inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error)).not.toContain(apiKey);
    }
  });

  test("the SDK connects to no other origin, so the API key is never sent to one", () => {
    expect(elsewhere.connections()).toBe(0);
  });
});

function listAttacks(otherUrl: string): Readonly<Record<string, Attack>> {
  return { ...brokenAnswers, ...wrongAnswers, ...storms, ...listRedirects(otherUrl) };
}

async function callEverything(server: HostileServer, { outcomes }: Attack): Promise<Report> {
  const timeoutMs = outcomes.includes("timeout") ? impatientMs : patientMs;
  const siteward = new Siteward({ apiKey, baseUrl: server.url, timeoutMs, maxRetries });
  const errors: unknown[] = [];
  const entries = Object.entries(operations).map(async ([operation, call]): Promise<[string, Outcome]> => {
    try {
      await call(siteward);
      return [operation, "result"];
    } catch (error) {
      errors.push(error);
      return [operation, toOutcome(error)];
    }
  });
  return { outcomes: Object.fromEntries(await Promise.all(entries)), errors, server };
}

function reportOf(name: string): Report {
  const report = reports.get(name);
  if (report === undefined) throw new Error(`There was no attack ${JSON.stringify(name)}.`);
  return report;
}
