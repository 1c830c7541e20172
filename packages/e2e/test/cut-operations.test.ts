import { Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { end } from "./support/hostile/attack.ts";
import { type HostileServer, type SeenRequest, startHostileServer } from "./support/hostile/hostile-server.ts";
import { contractOperations } from "./support/hostile/operations.ts";
import { type Framing, framings, respond, rightAnswerTo } from "./support/hostile/right-answer.ts";
import { toOutcome } from "./support/hostile/to-outcome.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";

const apiKey = "swk_1234567890abcdefghijklmnopqrstuvwxyz1234567";
const concurrency = 128;
// The type of the result of `keys` does not name them.
const framingNames = Object.keys(framings) as Framing[];

test.each(framingNames)("no response that ends with %s is taken for complete, wherever it is cut", async (framing) => {
  await using server = await startCutting(framing, () => true);
  const siteward = new Siteward({ apiKey, baseUrl: server.url, maxRetries: 0 });
  for (const [operation, call] of Object.entries(contractOperations)) {
    await call(siteward);
    const { head, body } = server.lastAnswer();
    const results = await mapConcurrently([...`${head}${body}`], concurrency, async (_byte, length) => {
      const outcome = await Promise.resolve(call(siteward, cutAt(length))).then(() => "result", toOutcome);
      // If the end of the connection ends it, only invalid JSON shows that it was cut.
      const isUndetectable = framing === "the connection" && length >= head.length;
      return isUndetectable && outcome === "unexpected response" ? "broken connection" : outcome;
    });
    expect(new Set(results), operation).toEqual(new Set(["broken connection"]));
  }
});

test.each(framingNames)(
  "a create is retried with its key wherever a response that ends with %s is cut",
  async (framing) => {
    await using server = await startCutting(framing, ({ headers }) => !headers.has("x-siteward-retry-count"));
    const siteward = new Siteward({ apiKey, baseUrl: server.url, maxRetries: 1 });
    await siteward.websites.create({ domain: "probe.example" });
    const { head, body } = server.lastAnswer();
    const detectable = framing === "the connection" ? head : `${head}${body}`;
    await mapConcurrently([...detectable], concurrency, async (_byte, length) => {
      const domain = `cut-${length}.example`;
      const { response } = await siteward.websites.create({ domain }, cutAt(length)).withResponse();
      expect(response).toMatchObject({ status: 201, retryCount: 1 });
      const attempts = server.requests.filter((request) => request.body.includes(domain));
      const keys = attempts.map(({ headers }) => headers.get("idempotency-key"));
      expect(keys).toEqual([keys[0], keys[0]]);
    });
  },
);

interface CuttingServer extends HostileServer {
  readonly lastAnswer: () => { readonly head: string; readonly body: string };
}

/** Starts a server that sends only so many bytes of an answer as the header `x-cut` says. */
async function startCutting(framing: Framing, mayCut: (request: SeenRequest) => boolean): Promise<CuttingServer> {
  let last = "";
  const server = await startHostileServer({
    onRequest: (socket, request) => {
      last = respond(rightAnswerTo(request), { framing });
      const length = request.headers.get("x-cut");
      if (length !== undefined && mayCut(request)) {
        return end(socket, Number(length) % 2 === 0 ? "close" : "reset", last.slice(0, Number(length)));
      }
      if (framing === "the connection") socket.end(last);
      else socket.write(last);
    },
  });
  const lastAnswer = () => {
    const bodyStart = last.indexOf("\r\n\r\n") + "\r\n\r\n".length;
    return { head: last.slice(0, bodyStart), body: last.slice(bodyStart) };
  };
  return { ...server, lastAnswer };
}

function cutAt(length: number): { headers: Record<string, string> } {
  return { headers: { "x-cut": String(length) } };
}
