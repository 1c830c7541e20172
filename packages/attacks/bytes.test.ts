import { Answer } from "@siteward/testing/answer";
import { createDatabase } from "@siteward/testing/engines/create-database";
import type { Database } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds, seed } from "./support/attack.ts";
import { exchange } from "./support/bytes/exchange.ts";
import { chunkedBodies, lengths } from "./support/bytes/framing.ts";
import { headers, hosts, requestLines } from "./support/bytes/heads.ts";
import { expectations, pipelines } from "./support/bytes/pipelines.ts";
import { create, type Expected, form } from "./support/bytes/raw-requests.ts";
import { targets } from "./support/bytes/targets.ts";

/** The answers to these depend on whether all bytes arrive at the same time. */
const whole = { lengths, chunkedBodies, pipelines };
const splittable = { requestLines, hosts, headers, targets, expectations };
const cases = Object.entries({ ...whole, ...splittable }).flatMap(([theme, requests]) =>
  requests.flatMap(({ expected, bytes }) =>
    bytes.map((text) => [nameOf(theme, text), { text, expected, canSplit: theme in splittable }] as const),
  ),
);

const random = createRandom(seed);
const started = new AsyncDisposableStack();
let [port, apiKey, sent, created] = [0, "", 0, 0];
let database: Database;
let server: TargetServer;

beforeAll(async () => {
  database = started.use(await createDatabase("sqlite"));
  ({ apiKey } = await createAccount(database.url));
  server = started.use(await startServer(database.url));
  port = server.port;
  // The website that some of the bytes update.
  await send(create(form, "domain={domain}"), [201]);
});
afterAll(() => started.disposeAsync());

describe.concurrent("each request gets its own answer, and a refusal is a problem document", () => {
  test.for(cases)("%s", async ([, { text, expected, canSplit }]) => {
    for (let round = 0; round < rounds(1); round += 1) {
      await send(text, expected);
      if (canSplit) await send(text, expected, split);
    }
  });
});

test("a request that is refused or not answered creates nothing", async () => {
  const [row] = await database.query("select count(*) as count from websites");
  expect(Number(row?.["count"])).toBe(created);
  expect(server.hasEnded()).toBe(false);
});

async function send(text: string, expected: Expected, cut = (bytes: string) => [bytes]) {
  sent += 1;
  const domain = `${String(sent).padStart(4, "c")}.com`;
  const { got, answers, rest } = await exchange(
    port,
    cut(text.replaceAll("{key}", apiKey).replaceAll("{domain}", domain)),
    expected,
  );
  created += answers.filter(({ status }) => status === 201).length;
  expect({ got, rest }).toEqual({ got: expected, rest: "" });
  for (const { status, headers: fields, body } of answers.filter(({ status }) => status >= 400)) {
    // Junk can arrive when the head of an answer was already sent. A refusal knows that it is the last answer.
    const isLast = expected.at(-1) === "end" && (status === 400 || status === 413);
    if (isLast) expect(fields.get("connection")).toBe("close");
    // The answer to a HEAD has no body.
    if (body === "") continue;
    const { problem } = new Answer(status, new Headers([...fields]), body);
    expect(problem.type).toMatch(/^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?\/docs\/errors\/\w+$/i);
  }
}

/** Cuts bytes at two random places. */
function split(bytes: string): string[] {
  const first = random.integer(1, Math.max(1, bytes.length - 1));
  const second = random.integer(first, bytes.length);
  return [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)].filter((piece) => piece !== "");
}

function nameOf(theme: string, text: string): string {
  const shown = JSON.stringify(text);
  return `${theme}: ${shown.length > 120 ? `${shown.slice(0, 50)} … ${shown.slice(-60)}` : shown}`;
}
