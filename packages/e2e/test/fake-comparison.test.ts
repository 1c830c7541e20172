import { randomInt } from "node:crypto";
import { errorCodes } from "@siteward/contract";
import { describe, expect, test } from "vitest";
import { compareServices } from "./support/sequence/compare-services.ts";
import { startBuiltService } from "./support/service/built-service.ts";
import { type ChangeableAnswer, changeAnswers } from "./support/service/changed-service.ts";
import { openFakeService } from "./support/service/fake-service.ts";
import { openLeanFetch } from "./support/service/open-lean-fetch.ts";

const sequenceCount = Number(process.env["SITEWARD_TEST_SEQUENCES"] || 5_000);
const [replayedSeed, replayedPath] = process.env["SITEWARD_TEST_REPLAY"]?.split("/") ?? [];
/** Each compares on its own, so that the processors are busy while one of them waits. */
const laneCount = replayedSeed ? 1 : 2;

describe("the fake", () => {
  test(`answers ${sequenceCount} random sequences of requests as the built server does`, {
    timeout: 900_000,
  }, async () => {
    const seed = replayedSeed ? Number(replayedSeed) : randomInt(2 ** 31);
    const failed = new AbortController();
    const compareInLane = async (lane: number) => {
      await using fake = openFakeService();
      using lean = openLeanFetch();
      await using server = await startBuiltService(lean.fetch);
      const sequences = Math.ceil(sequenceCount / laneCount);
      const choice = { sequences, seed: seed + lane, path: replayedPath, signal: failed.signal };
      return await compareServices([server, fake], choice).catch((error: unknown) => {
        failed.abort();
        throw error;
      });
    };
    const lanes = await Promise.allSettled(Array.from({ length: laneCount }, (_, lane) => compareInLane(lane)));
    for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
  });
});

/** What could go wrong in one of the services, and must not stay unseen. */
const changes: Record<string, (answer: ChangeableAnswer) => void> = {
  "the text of an error": (answer) => replace(answer, "No website has this ID.", "There is no website with this ID."),
  "the message of a field": (answer) => replace(answer, /send 0 \(Disabled\) or 1/, "send 0 or 1"),
  "the status of an error": (answer) => {
    if (answer.status === 412) answer.status = 409;
  },
  "a missing header": ({ headers }) => headers.delete("WWW-Authenticate"),
  "a header that is not there": ({ headers }) => headers.set("X-Powered-By", "Express"),
  "the order of a list": (answer) =>
    replace(answer, /(?<="data":\[)(\{.*?\}),(\{.*?\})(?=\])/, (_, one: string, other: string) => `${other},${one}`),
  "the order of the fields of a record": (answer) => replace(answer, /("email":\d),("exclude_bots":\d)/, "$2,$1"),
  "an entity tag that is the same after a change": ({ method, status, headers }) => {
    if (method === "PUT" && status === 200) headers.set("ETag", (headers.get("ETag") ?? "").replace(/\d+"$/, '1"'));
  },
  "a cursor that leads to the first page": (answer) => replace(answer, /(?<="next":")[^"]*/, firstPage),
  "a time that stays the same": (answer) => replace(answer, /("created_at":("[^"]*"),"updated_at":)"[^"]*"/, "$1$2"),
  "the remaining requests": ({ headers }) => {
    const rateLimit = headers.get("RateLimit");
    if (rateLimit !== null) headers.set("RateLimit", rateLimit.replace(/r=0/, "r=1"));
  },
  "a replay that does not say that it is one": ({ headers }) => headers.delete("Idempotency-Replayed"),
};

describe("a difference is found, and the error contains the seed and the answers:", () => {
  test.for(Object.entries(changes))("%s", async ([, change]) => {
    await using fake = openFakeService();
    const changed = changeAnswers(fake, change);
    const compared = compareServices([fake, changed], { sequences: 1_000, seed: 1 });
    await expect(compared).rejects.toThrow(
      /SITEWARD_TEST_REPLAY=1\/[\d:]+ .*the fake answered .*the changed service answered /s,
    );
  });

  test("the sequence that the error names finds the difference at once", async () => {
    await using fake = openFakeService();
    const changed = changeAnswers(fake, ({ headers }) => headers.delete("Location"));
    const error = await compareServices([fake, changed], { sequences: 1_000, seed: 1 }).catch(
      (thrown: Error) => thrown,
    );
    const path = /SITEWARD_TEST_REPLAY=1\/(\S+)/.exec(String(error))?.[1];
    await expect(compareServices([fake, changed], { sequences: 1, seed: 1, path })).rejects.toThrow(
      /Location|location/,
    );
  });
});

describe("the sequences", () => {
  test("get every error that one request at a time can get, replays, pages in both directions and passwords", async () => {
    const seen = new Set<string>();
    await using fake = openFakeService();
    const watched = changeAnswers(openFakeService(), ({ status, headers, body }) => {
      seen.add(/"code":"(\w+)"/.exec(body)?.[1] ?? String(status));
      for (const text of kinds) if (body.includes(text)) seen.add(text);
      if (headers.has("Idempotency-Replayed")) seen.add(`${status} again`);
    });
    expect(await compareServices([fake, watched], { sequences: 300, seed: 1 })).toBeGreaterThan(4_000);
    const codes = Object.keys(errorCodes).filter((code) => !unreachable.includes(code));
    const wanted = [...codes, ...kinds, "200", "201", "201 again", "403 again", "409 again", "204", "304"];
    expect(wanted.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});

const kinds = ['"next":"', '"prev":"', '"has_password":true', "xn--"];
/** Failures of the server, and what only two requests at the same time can get. */
const unreachable = ["internal", "unavailable", "idempotency_in_progress"];

const firstPage = "/api/v1/websites";

function replace(answer: ChangeableAnswer, from: string | RegExp, to: string | ((...found: string[]) => string)): void {
  // Both overloads take the same arguments.
  answer.body = typeof to === "string" ? answer.body.replace(from, to) : answer.body.replace(from, to);
}
