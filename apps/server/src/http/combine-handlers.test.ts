import { once } from "node:events";
import { createServer } from "node:http";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { combineHandlers } from "./combine-handlers.ts";

const pass: RequestHandler = (_request, _response, next) => next();
const answer: RequestHandler = (_request, response) => void response.send("answered");
const failures: Record<string, RequestHandler> = {
  "is thrown": () => {
    throw new Error("refused");
  },
  "is passed to next": (_request, _response, next) => next(new Error("refused")),
  "rejects a promise": async () => {
    throw new Error("refused");
  },
  "rejects a promise after a while": async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error("refused");
  },
};

describe("combined handlers", () => {
  test("run in order, and then the handlers after them", async () => {
    const ran: number[] = [];
    const note =
      (number: number): RequestHandler =>
      (_request, _response, next) => {
        ran.push(number);
        next();
      };
    expect(await ask([note(1), note(2), note(3)])).toBe("answered");
    expect(ran).toEqual([1, 2, 3]);
  });

  test.for(Object.entries(failures))(
    "an error that %s reaches the error handler, wherever in the order",
    async ([, fail]) => {
      expect(await ask([fail, pass, pass])).toBe("refused");
      expect(await ask([pass, fail, pass])).toBe("refused");
      expect(await ask([pass, pass, combineHandlers(pass, fail)])).toBe("refused");
    },
  );
});

async function ask(handlers: readonly RequestHandler[]): Promise<string> {
  const app = express();
  const tell: ErrorRequestHandler = (error, _request, response, _next) => void response.send(error.message);
  app.use(combineHandlers(...handlers), answer, tell);
  await using server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const response = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, {
    headers: { Connection: "close" },
  });
  return response.text();
}
