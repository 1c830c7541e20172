import { routes } from "@siteward/contract/plain";
import { expect, test } from "vitest";
import type { ApiRequest } from "../src/request/build-request.ts";
import { connect } from "./support/connect.ts";
import { hangUp, json, problem, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

const creating: ApiRequest = { route: routes.websites.create, body: { domain: "example.com" } };
const created = json(201, { data: website(1) });

test("the idempotency key of a create is another random one for each call, or that of the caller", async () => {
  await using server = await serve(created);
  await server.siteward.websites.create({ domain: "a.example" });
  await server.siteward.websites.create({ domain: "b.example" });
  await server.siteward.websites.create({ domain: "a.example" }, { idempotencyKey: "order-7" });
  await server.siteward.websites.create({ domain: "a.example" }, { headers: { "Idempotency-Key": "order-8" } });
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  const random = expect.stringMatching(/^(\d+-){3}\d+$/);
  expect(keys).toEqual([random, random, "order-7", "order-8"]);
  expect(keys[0]).not.toBe(keys[1]);
});

test.each(["", "a b", "ä", "a\nb", "x".repeat(256)])(
  "the idempotency key of a create %j is refused before anything is sent",
  async (idempotencyKey) => {
    await using server = await serve(created);
    const call = server.siteward.websites.create({ domain: "a.example" }, { idempotencyKey });
    await expect(call).rejects.toMatchObject({
      code: "invalid_argument",
      message: "idempotencyKey must contain 1 to 255 visible ASCII characters, such as a UUID.",
    });
    expect(server.seen).toEqual([]);
  },
);

test("a create whose first attempt is still running is retried after Retry-After", async () => {
  const running = problem(409, "idempotency_in_progress", {}, { "retry-after": "1" });
  await using server = await serve(hangUp, running, created);
  const waitsMs: number[] = [];
  const send = connect({ baseUrl: server.baseUrl, onRetry: ({ delayMs }) => waitsMs.push(delayMs) });
  expect(await send(creating)).toMatchObject({ status: 201, call: { attempts: 3 } });
  expect(waitsMs).toEqual([0, 1_000]);
});
