import { createWebsiteBody, errorCodes, routes, website } from "@siteward/contract";
import { engineNames } from "@siteward/testing/engines/database";
import { openFakeService } from "@siteward/testing/services/fake-service";
import { startServerService } from "@siteward/testing/services/server-service";
import { describe, expect, test } from "vitest";
import { type ChangeableAnswer, changeAnswers } from "./sequences/changed-service.ts";
import { compareServices } from "./sequences/compare-services.ts";
import type { ReceivedAnswer } from "./sequences/side.ts";

/** PostgreSQL answers a fifth as fast. As an attack, ten times as many are sent, and with `ROUNDS` any other number. */
const rounds = { sqlite: 100, postgres: 20 } as const;
const [replayedSeed, path] = process.env["TEST_SITEWARD_REPLAY"]?.split("/") ?? [];

test.for(engineNames)(
  "the built server on %s answers random sequences of requests as the service in memory does",
  { timeout: 600_000 },
  async (engine) => {
    await using server = await startServerService(engine);
    await using model = openFakeService();
    const sequences = Number(process.env["ROUNDS"] ?? rounds[engine] * (process.env["TEST_SITEWARD_ATTACK"] ? 10 : 1));
    const seed = Number(replayedSeed ?? Math.floor(Math.random() * 2 ** 31));
    await compareServices([server, model], { sequences, seed, path });
    expect(await server.database.findDamage()).toEqual([]);
    expect(server.server.hasEnded(), server.server.log()).toBe(false);
  },
);

/** What could go wrong in one of the services, and must not stay unseen. */
const changes: Record<string, (answer: ChangeableAnswer) => void> = {
  "the text of an error": (answer) => replace(answer, "No website has this ID.", "There is no website with this ID."),
  "the status of an error": (answer) => {
    if (answer.status === 412) answer.status = 409;
  },
  "the order of a list": (answer) =>
    replace(answer, /(?<="data":\[)(\{.*?\}),(\{.*?\})(?=\])/, (_, one: string, other: string) => `${other},${one}`),
  "an entity tag that is the same after a change": ({ method, status, headers }) => {
    if (method === "PUT" && status === 200) headers.set("ETag", (headers.get("ETag") ?? "").replace(/\d+"$/, '1"'));
  },
  "a cursor that leads to the first page": (answer) => replace(answer, /(?<="next":")[^"]*/, firstPage),
  "the remaining requests": ({ headers }) => {
    const rateLimit = headers.get("RateLimit");
    if (rateLimit !== null) headers.set("RateLimit", rateLimit.replace(/r=0/, "r=1"));
  },
  "a replay that does not say that it is one": ({ headers }) => headers.delete("Idempotency-Replayed"),
};

describe("a difference is found, and the error contains the seed and the answers:", () => {
  test.for(Object.entries(changes))("%s", async ([, change]) => {
    const fake = openFakeService();
    const changed = changeAnswers(openFakeService(), change);
    const compared = compareServices([fake, changed], { sequences: 1_000, seed: 1, maxShrinkMs: 0 });
    await expect(compared).rejects.toThrow(
      /TEST_SITEWARD_REPLAY=1\/[\d:]+ .*the fake answered .*the changed service answered /s,
    );
  });
});

describe("the sequences", async () => {
  const answers: ReceivedAnswer[] = [];
  const onAnswers = (some: readonly ReceivedAnswer[]) => answers.push(...some);
  await compareServices([openFakeService(), openFakeService()], { sequences: 300, seed: 1, onAnswers });

  test("get every error that one request at a time can get, replays, pages in both directions and passwords", () => {
    const seen = new Set(answers.flatMap(readKinds));
    const codes = Object.keys(errorCodes).filter((code) => !unreachable.includes(code));
    const wanted = [...codes, ...kinds, "201 again", "403 again", "409 again", "304"];
    expect(wanted.filter((kind) => !seen.has(kind))).toEqual([]);
  });

  test("get an answer of every operation of the contract that is not an error", () => {
    const done = answers.filter(({ status }) => status < 300);
    const seen = new Set(
      done.map(({ method, path }) => `${method} ${path.replace(/\?.*/, "").replace(/\d+$/, ":id")}`),
    );
    const wanted = Object.values(routes).flatMap((resource) => Object.values(resource));
    expect(wanted.map(({ method, path }) => `${method} ${path}`).filter((operation) => !seen.has(operation))).toEqual(
      [],
    );
  });

  test("store several values of every field that a request can set, and each value of a choice", () => {
    const records = answers
      .filter(({ status, body }) => (status === 200 || status === 201) && body.startsWith('{"data":{'))
      .map(({ body }) => JSON.parse(body).data);
    for (const [name, schema] of Object.entries(website.shape)) {
      if (!(name in createWebsiteBody.shape)) continue;
      const stored = new Set(records.map((record) => JSON.stringify(record[name])));
      const wanted = schema.type === "literal" ? schema.values.size : 5;
      expect(stored.size, name).toBeGreaterThanOrEqual(wanted);
    }
  });
});

function readKinds({ status, headers, body }: ReceivedAnswer): string[] {
  const kind = /"code":"(\w+)"/.exec(body)?.[1] ?? String(status);
  const replay = headers.has("Idempotency-Replayed") ? [`${status} again`] : [];
  return [kind, ...kinds.filter((text) => body.includes(text)), ...replay];
}

const kinds = ['"next":"', '"prev":"', '"has_password":true', "xn--"];
/** Failures of the server, what only two requests at the same time can get, and what memory does not count. */
const unreachable = ["internal", "unavailable", "idempotency_in_progress", "change_limit_reached"];

const firstPage = "/api/v1/websites";

function replace(answer: ChangeableAnswer, from: string | RegExp, to: string | ((...found: string[]) => string)): void {
  // Both overloads take the same arguments.
  answer.body = typeof to === "string" ? answer.body.replace(from, to) : answer.body.replace(from, to);
}
