import { type Attack, answers, type Outcome, sends } from "./attack.ts";
import { respond } from "./right-answer.ts";

const absurdWaits = {
  "no wait": [],
  "a wait of 61 seconds": ["retry-after: 61"],
  "a wait of 400 digits": [`retry-after: ${"9".repeat(400)}`],
  "a wait until the year 9999": ["retry-after: Fri, 31 Dec 9999 23:59:59 GMT"],
} as const;

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
    onRequest: (socket) =>
      void socket.end(respond({ status: 200, body: '{"data":{"id":' }, { framing: "the connection" })),
    outcomes: ["unexpected response"],
  },
  "sends a record of another service": {
    ...answers(() => ({ status: 200, body: '{"ok":true}' }), "unexpected response"),
    exceptions: anyJson,
  },
  "sends JSON that is nested too deep": answers(() => ({ status: 200, body: "[".repeat(1e6) }), "unexpected response"),
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
  "sends a status that does not exist": answers(() => ({ ...html(799) }), "unexpected response"),
  "announces another host for the same service": {
    ...answers(() => ({ headers: ['alt-svc: h2="127.0.0.1:1"', "refresh: 0; url=http://127.0.0.1:1/"] }), "result"),
  },
} as const satisfies Record<string, Attack>;

/** Answers that ask the caller to wait, again and again. */
export const storms: Readonly<Record<string, Attack>> = Object.fromEntries([
  ...Object.entries(absurdWaits).map(([name, headers]) => [
    `sends 429 and ${name}, again and again`,
    answers(() => ({ ...problem(429, "rate_limited"), headers }), "problem: rate_limited"),
  ]),
  ...[500, 502, 503, 504].map((status) => [
    `sends a page with status ${status}, again and again`,
    answers(() => html(status), "unexpected response"),
  ]),
  [
    "says again and again that it is unavailable",
    answers(() => problem(503, "unavailable", { outcome: "unknown" }), "problem: unavailable"),
  ],
  [
    "says that the website exists, and then that it does not",
    answers(
      ({ status }) => (status === 201 ? problem(409, "domain_taken", { website_id: 7 }) : problem(404, "not_found")),
      "problem: domain_taken",
      "problem: not_found",
      // No website has the domain that it searches for.
      "result",
    ),
  ],
  [
    "says again and again that the first attempt is still running",
    answers(() => problem(409, "idempotency_in_progress"), "problem: idempotency_in_progress"),
  ],
]);

/** Every kind of redirect to another origin. */
export function listRedirects(elsewhere: string): Readonly<Record<string, Attack>> {
  return Object.fromEntries(
    [300, 301, 302, 303, 304, 305, 306, 307, 308].map((status): [string, Attack] => {
      const outcome: Outcome = status === 304 ? "not modified" : "unexpected response";
      const headers = [`location: ${elsewhere}/api/v1/account`];
      return [`redirects (${status}) to another origin`, answers(() => ({ status, body: "", headers }), outcome)];
    }),
  );
}

function html(status: number) {
  return { status, body: "<h1>Hello</h1>", headers: ["content-type: text/html"] };
}

function problem(status: number, code: string, more: object = {}) {
  return { status, body: JSON.stringify({ code, title: "Title", detail: "Detail.", status, ...more }) };
}
