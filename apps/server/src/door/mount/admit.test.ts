import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { openConnection } from "@siteward/testing/raw-connection";
import express, { type Request, type Response } from "express";
import { describe, expect, it } from "vitest";
import { SharedPlaces } from "../../queues/shared-places.ts";
import { Exchange } from "../admission/exchange.ts";
import { ReceivedExchange } from "./admit.ts";

describe("the end of a request", () => {
  it("comes with the end of its connection, even if the client disconnected before", async () => {
    const ended: string[] = [];
    await using server = await listen(async (exchange) => {
      await once(exchange.response, "close");
      new ReceivedExchange(exchange, true).onEnd(() => ended.push(exchange.request.path));
    });
    const socket = await openConnection(server.url);
    socket.write("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => server.handled.length).toBe(1);
    socket.destroy();
    await server.handled[0];
    expect(ended).toEqual(["/gone"]);
  });

  it("comes once the response is sent", async () => {
    const ended: string[] = [];
    await using server = await listen(async (exchange) => {
      new ReceivedExchange(exchange, true).onEnd(() => ended.push(exchange.request.path));
      expect(ended).toEqual([]);
      exchange.response.end();
    });
    await fetch(`${server.url}/sent`);
    await expect.poll(() => ended).toEqual(["/sent"]);
  });
});

/** Starts a server whose requests are all made by one principal. */
async function listen(handle: (exchange: Exchange) => Promise<void>) {
  const handled: Promise<void>[] = [];
  const app = express().use((request: Request, response: Response) => {
    const exchange = new Exchange(request, response, {
      places: new SharedPlaces(2),
      bodyBytes: new SharedPlaces(2),
      keyOf: () => undefined,
    });
    exchange.principal = principal;
    handled.push(handle(exchange));
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
  scopes: [],
  createdAt: new Date(0),
  expiresAt: null,
  lastUsedAt: null,
  rateLimit: null,
};
