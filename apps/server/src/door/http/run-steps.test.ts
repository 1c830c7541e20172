import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { SharedPlaces } from "../../queues/shared-places.ts";
import { Exchange } from "../admission/exchange.ts";
import { inOrder, runSteps, type Step } from "./run-steps.ts";

const pass: Step = () => {};
const wait: Step = () => setTimeout(5);
const answer: RequestHandler = (_request, response) => void response.send("answered");
const failures: Record<string, Step> = {
  "is thrown": () => {
    throw new Error("refused");
  },
  "rejects a promise": async () => {
    throw new Error("refused");
  },
  "rejects a promise after a while": async () => {
    await setTimeout(5);
    throw new Error("refused");
  },
};

describe("steps", () => {
  test("run in order, and then the handlers after them, even if a step must wait", async () => {
    const ran: number[] = [];
    const note = (number: number): Step => {
      return () => void ran.push(number);
    };
    expect(await ask([note(1), wait, note(2), inOrder(note(3), wait, note(4)), note(5)])).toBe("answered");
    expect(ran).toEqual([1, 2, 3, 4, 5]);
  });

  test.for(Object.entries(failures))(
    "an error that %s reaches the error handler, and no later step runs",
    async ([, fail]) => {
      let hasRun = false;
      const note: Step = () => {
        hasRun = true;
      };
      expect(await ask([fail, note])).toBe("refused");
      expect(await ask([pass, wait, fail, note])).toBe("refused");
      expect(await ask([pass, inOrder(wait, fail, note), note])).toBe("refused");
      expect(hasRun).toBe(false);
    },
  );
});

async function ask(steps: readonly Step[]): Promise<string> {
  const app = express();
  const tell: ErrorRequestHandler = (error, _request, response, _next) => void response.send(error.message);
  const receive: RequestHandler = (request, response, next) => {
    new Exchange(request, response, {
      places: new SharedPlaces(2),
      bodyBytes: new SharedPlaces(2),
      keyOf: () => undefined,
    });
    next();
  };
  app.use(receive, runSteps(tell, ...steps), answer);
  await using server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const response = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, {
    headers: { Connection: "close" },
  });
  return response.text();
}
