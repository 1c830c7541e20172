import { errorCodes, routes } from "@siteward/contract";
import { engineNames } from "@siteward/testing/engines/database";
import { openFakeService } from "@siteward/testing/services/fake-service";
import { startServerService } from "@siteward/testing/services/server-service";
import { expect, test } from "vitest";
import { compareServices } from "./sequences/compare-services.ts";
import type { ReceivedAnswer } from "./sequences/side.ts";

/** PostgreSQL answers a fifth as fast. As an attack, 20 times as many are sent, and with `ROUNDS` any other number. */
const rounds = { sqlite: 30, postgres: 6 } as const;
const [replayedSeed, path] = process.env["TEST_SITEWARD_REPLAY"]?.split("/") ?? [];

test.for(engineNames)(
  "the built server on %s answers random sequences of requests as the service in memory does",
  { timeout: 600_000 },
  async (engine) => {
    await using server = await startServerService(engine);
    await using model = openFakeService();
    const sequences = Number(process.env["ROUNDS"] ?? rounds[engine] * (process.env["TEST_SITEWARD_ATTACK"] ? 20 : 1));
    const seed = Number(replayedSeed ?? Math.floor(Math.random() * 2 ** 31));
    await compareServices([server, model], { sequences, seed, path });
    expect(await server.database.findDamage()).toEqual([]);
    expect(server.server.hasEnded(), server.server.log()).toBe(false);
  },
);

test("the sequences get an answer of every operation, every error that a state decides, replays, pages and passwords", async () => {
  const seen = new Set<string>();
  const onAnswers = (answers: readonly ReceivedAnswer[]) => {
    for (const kind of answers.flatMap(readKinds)) seen.add(kind);
  };
  await compareServices([openFakeService(), openFakeService()], { sequences: 150, seed: 2, onAnswers });
  const codes = Object.keys(errorCodes).filter((code) => !unreachable.includes(code));
  const operations = Object.values(routes).flatMap((resource) => Object.values(resource));
  const done = operations.map(({ method, path }) => `${method} ${path}`);
  const wanted = [...codes, ...done, ...kinds, "201 again", "403 again", "409 again", "304"];
  expect(wanted.filter((kind) => !seen.has(kind))).toEqual([]);
});

test("a word that differs in an answer is found, and the failure says how to send the sequence again", async () => {
  const other = openFakeService();
  const createAccount: typeof other.createAccount = (options) => {
    const account = other.createAccount(options);
    const change = async (...request: Parameters<typeof fetch>) => {
      const answer = await account.fetch(...request);
      const text = (await answer.text()).replace('"email":1', '"email":0');
      return new Response(text === "" ? null : text, answer);
    };
    return { ...account, fetch: change };
  };
  const choice = { sequences: 300, seed: 1, maxShrinkMs: 0 };
  const comparing = compareServices([openFakeService(), { ...other, createAccount }], choice);
  await expect(comparing).rejects.toThrow(/TEST_SITEWARD_REPLAY=/);
});

function readKinds({ method, path, status, headers, body }: ReceivedAnswer): string[] {
  const kind = /"code":"(\w+)"/.exec(body)?.[1] ?? String(status);
  const replay = headers.has("Idempotency-Replayed") ? [`${status} again`] : [];
  const done = status < 300 ? [`${method} ${path.replace(/\?.*/, "").replace(/\d+$/, ":id")}`] : [];
  return [kind, ...done, ...kinds.filter((text) => body.includes(text)), ...replay];
}

const kinds = [
  '"privacy":1',
  '"email":1',
  '"exclude_bots":0',
  '"exclude_params":["',
  '"next":"',
  '"prev":"',
  '"has_password":true',
  "xn--",
];
const unreachable = [
  // Failures of the server, what only two requests at the same time can get, and what memory does not count.
  ...["internal", "unavailable", "idempotency_in_progress", "change_limit_reached"],
  // What no state decides. Guarantees send it.
  ...["malformed_request", "method_not_allowed", "body_too_large", "unsupported_media_type"],
];
