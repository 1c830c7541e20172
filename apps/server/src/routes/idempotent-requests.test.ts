import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Route, routes } from "@siteward/contract";
import express, { type Request, type Response } from "express";
import { describe, expect, it } from "vitest";
import { openConnection } from "../../test/support/raw-request.ts";
import { Exchange } from "../door/admission/exchange.ts";
import { IdempotentRequests, idempotencyOf } from "./idempotent-requests.ts";

const route: Route = routes.websites.create;
const fields = { domain: "a.example", privacy: 2, password: "correct horse" };

describe("the fingerprint of a request", () => {
  it("is the same for the same fields in another order", async () => {
    const reversed = Object.fromEntries(Object.entries(fields).toReversed());
    expect(await fingerprintOf({ body: reversed })).toBe(await fingerprintOf({ body: fields }));
  });

  it.each([
    ["another path", { path: "/api/v1/others" }],
    ["another query", { path: `${route.path}?dry_run=1` }],
    ["another method", { method: "PUT" }],
    ["another API key and a password", { apiKey: "other" }],
    ["another value", { body: { ...fields, privacy: 1 } }],
    ["a value under another name", { body: { ...fields, domain: undefined, email: fields.domain } }],
    ["the list of two values instead of one", { body: { ...fields, domain: ["a", "example"] } }],
  ])("differs with %s", async (_name, request) => {
    expect(await fingerprintOf(request)).not.toBe(await fingerprintOf({}));
  });

  it("is the same with another API key if no field is secret", async () => {
    const body = { domain: "a.example" };
    expect(await fingerprintOf({ body, apiKey: "other" })).toBe(await fingerprintOf({ body }));
  });
});

describe("a request in progress", () => {
  it("ends with its connection, even if the client disconnected before its key was noted", async () => {
    const requests = new IdempotentRequests();
    await using server = await listen(async (request, response) => {
      if (request.headers["x-wait"] !== undefined) await once(response, "close");
      requests.begin(request, response, route);
      response.end("begun");
    });
    const socket = await openConnection(server.url);
    socket.write(
      `POST ${route.path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer key\r\nX-Wait: 1\r\nIdempotency-Key: k\r\n\r\n`,
    );
    await expect.poll(() => server.handled.length).toBe(1);
    socket.destroy();
    await server.handled[0];
    const headers = { Authorization: "Bearer key", "Idempotency-Key": "k" };
    expect(await (await fetch(`${server.url}${route.path}`, { method: "POST", headers })).text()).toBe("begun");
  });
});

interface Said {
  readonly method?: string;
  readonly path?: string;
  readonly apiKey?: string;
  readonly body?: object;
}

async function fingerprintOf({ method = "POST", path = route.path, apiKey = "key", body = fields }: Said) {
  await using server = await listen(async (request, response) => {
    request.body = body;
    new IdempotentRequests().begin(request, response, route);
    response.end(idempotencyOf(request)?.fingerprint);
  });
  const headers = { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": "k" };
  const fingerprint = await (await fetch(`${server.url}${path}`, { method, headers })).text();
  expect(fingerprint).toMatch(/^[\w-]{43}$/);
  return fingerprint;
}

/** Starts a server whose requests are all made by one principal. */
async function listen(handle: (request: Request, response: Response) => Promise<void>) {
  const handled: Promise<void>[] = [];
  const app = express().use((request: Request, response: Response) => {
    new Exchange(request, response, { count: 0, max: 1 }).principal = principal;
    handled.push(handle(request, response));
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    handled,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const principal = {
  id: 1,
  accountId: 1,
  name: "test",
  prefix: "swk_test",
  hash: new Uint8Array(32),
  scopes: [],
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  rateLimit: null,
};
