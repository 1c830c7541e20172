import { randomBytes } from "node:crypto";
import { type Attack, answers, type RightAnswer, respond, sends } from "./attack.ts";

/** An answer with a body, also to a DELETE. */
const full: RightAnswer = { status: 200, body: JSON.stringify({ data: { id: 7, domain: "example.com" } }) };

/** Connections that end, stall or never stop, and bytes that are not HTTP. */
const brokenAnswers = {
  "resets each connection at once": {
    onConnection: (socket) => socket.resetAndDestroy(),
    // The reset may come before the system has told the client of the connection.
    outcomes: ["broken connection", "no connection"],
  },

  "never accepts a request": { onConnection: (socket) => void socket.pause(), outcomes: ["timeout"] },
  "stalls within the head": sends(() => "HTTP/1.1 200 OK\r\ncontent-ty", "timeout"),
  "stalls within the body": sends(() => respond(full).slice(0, -1), "timeout"),
  "sends a body forever": {
    onRequest: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n");
      const timer = setInterval(() => socket.write("x".repeat(16_384)), 4);
      socket.on("close", () => clearInterval(timer));
    },
    outcomes: ["timeout"],
  },

  "answers before it reads the request": {
    onConnection: (socket) => void socket.end(respond(full, ["connection: close"])),
    outcomes: ["result", "unexpected response", "broken connection"],
  },
  "answers each request twice": {
    ...sends(() => respond(full).repeat(2), "result", "unexpected response"),
    exceptions: { "websites.delete": ["unexpected response"] },
  },
  // What is no HTTP is the runtime's to find: fetch rejects all of it alike.
  "sends random bytes": sends(() => randomBytes(1_000), "broken connection"),
  "sends a body that is not compressed as it says": answers(
    () => ({ ...full, headers: ["content-encoding: gzip"] }),
    "broken connection",
  ),
} as const satisfies Record<string, Attack>;

/** The raw request returns any JSON, and nothing for an empty body. */
const anyJson = { request: ["result"] } as const;

/** Correct HTTP that the service does not send. */
const wrongAnswers = {
  "sends a page with status 200": answers(() => html(200), "unexpected response"),
  "sends an empty body": {
    ...answers(() => ({ status: 200, body: "" }), "unexpected response"),
    exceptions: anyJson,
  },
  "sends no body": {
    ...answers(() => ({ status: 204 }), "unexpected response"),
    exceptions: { ...anyJson, "websites.delete": ["result"] },
  },
  "sends half of a body as all of it": {
    ...answers(({ body }) => ({ body: body.slice(0, body.length / 2) }), "unexpected response"),
    exceptions: { "websites.delete": ["result"] },
  },
  "ends half of a body by closing": {
    onRequest: (socket) => void socket.end('HTTP/1.1 200 Any\r\nconnection: close\r\n\r\n{"data":{"id":'),
    outcomes: ["unexpected response"],
  },
  "sends a record of another service": {
    ...answers(() => ({ status: 200, body: '{"ok":true}' }), "unexpected response"),
    exceptions: anyJson,
  },
  "sends JSON that is nested too deep": answers(() => ({ status: 200, body: "[".repeat(1e5) }), "unexpected response"),
  "sends bytes that are not UTF-8": sends(
    () => Buffer.concat([Buffer.from(respond({ status: 200, body: "12" }).slice(0, -2)), Buffer.from([0xff, 0xfe])]),
    "unexpected response",
  ),
  "sends problem details of another shape": answers(
    () => ({ status: 422, body: '{"code":1,"title":[],"detail":{},"errors":[null]}' }),
    "unexpected response",
  ),
  "sends field errors that are not strings": answers(
    () => problem(422, "validation_failed", { errors: { a: [null, { b: [] }, 1] } }),
    "problem: validation_failed",
  ),
  "sends an unknown code": answers(() => problem(418, "teapot"), "problem: teapot"),
} as const satisfies Record<string, Attack>;

export const attacks: Readonly<Record<string, Attack>> = { ...brokenAnswers, ...wrongAnswers };

function html(status: number) {
  return { status, body: "<h1>Hello</h1>", headers: ["content-type: text/html"] };
}

function problem(status: number, code: string, more: object = {}) {
  return { status, body: JSON.stringify({ code, title: "Title", detail: "Detail.", status, ...more }) };
}
