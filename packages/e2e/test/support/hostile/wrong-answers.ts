import { type Attack, answers, sends } from "./attack.ts";
import { respond } from "./right-answer.ts";

/** The raw request returns any JSON, and nothing for an empty body. */
const anyJson = { request: ["result"] } as const;

/** Correct HTTP that the service does not send. */
export const wrongAnswers = {
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
  "sends a status that does not exist": answers(() => html(799), "unexpected response"),
  "announces another host for the same service": answers(
    () => ({ headers: ['alt-svc: h2="127.0.0.1:1"', "refresh: 0; url=http://127.0.0.1:1/"] }),
    "result",
  ),
} as const satisfies Record<string, Attack>;

function html(status: number) {
  return { status, body: "<h1>Hello</h1>", headers: ["content-type: text/html"] };
}

function problem(status: number, code: string, more: object = {}) {
  return { status, body: JSON.stringify({ code, title: "Title", detail: "Detail.", status, ...more }) };
}
