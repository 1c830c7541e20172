import type { ErrorCode } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import type { RequestParts } from "../client/write-request.ts";
import type { Random } from "../random.ts";
import { pickDomain } from "./field-values.ts";
import { judgeProblem } from "./judge-problem.ts";
import type { Operation, Subject } from "./operation.ts";

const one = "/api/v1/websites/1";
const many = "/api/v1/websites";
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Sends a request that changes nothing and has one correct answer, whatever the account contains. */
export function odd(subject: Subject): Operation {
  return subject.random.pick(kinds)(subject);
}

const kinds: readonly ((subject: Subject) => Operation)[] = [
  ({ random }) => refused(anything(random), "unauthenticated", ["www-authenticate"]),
  ({ random, apiKey }) => {
    const key = random.pick([apiKey.slice(1), `${apiKey}x`, apiKey.toUpperCase(), "swk_", `${apiKey} ${apiKey}`]);
    return refused({ ...anything(random), apiKey: key }, "unauthenticated", ["www-authenticate"]);
  },
  ({ random, readingKey: apiKey }) => {
    const [method, path] = random.pick([
      ["POST", many],
      ["PUT", one],
      ["DELETE", one],
      ["GET", "/api/v1/account"],
    ] as const);
    return refused({ method, path, apiKey }, "insufficient_scope", ["www-authenticate"]);
  },
  ({ random, apiKey }) => {
    const path = random.pick([
      "/api/v1/nothing",
      "/api/v1/websites/1/2",
      "/api/v1/Websites",
      "/api/v1",
      "/none",
      "/api/v2",
    ]);
    return refused({ method: "GET", path, apiKey }, "not_found");
  },
  ({ random, apiKey }) => {
    const [method, path] = random.pick([
      ["PATCH", one],
      ["POST", one],
      ["PUT", many],
      ["DELETE", many],
    ] as const);
    return refused({ method, path, apiKey }, "method_not_allowed", ["allow"]);
  },
  ({ random, apiKey }) => {
    const path = random.pick([one, many, "/api/v1/account"]);
    const judge = ({ status, headers }: RawAnswer) =>
      status === 204 && headers.has("allow") ? [] : ["it should list the methods"];
    return { method: "OPTIONS", path, apiKey, judge };
  },
  ({ random, apiKey }) => {
    const types = [
      "text/plain",
      "application/xml",
      "multipart/form-data; boundary=x",
      "application/json; charset=latin1",
    ];
    const headers = { "content-type": random.pick(types) };
    return refused({ ...write(random), apiKey, headers, body: "{}" }, "unsupported_media_type");
  },
  ({ random, apiKey }) =>
    refused({ ...write(random), apiKey, headers: json, body: random.pick(brokenJson) }, "malformed_request"),
  ({ random, apiKey }) => {
    const body = random.pick(["domain=%", "domain=%zz", "%ff=1", "domain=%c3%28"]);
    return refused({ ...write(random), apiKey, headers: form, body }, "malformed_request");
  },
  ({ random, apiKey }) => {
    const path = `${many}?${random.pick(["search=%", "search=%ff", "%zz=1"])}`;
    return refused({ method: "GET", path, apiKey }, "malformed_request");
  },
  ({ random, apiKey }) => {
    const body = random.pick(["[]", "null", "1", '"domain"', "[{}]", '{"domain":{"a":[[[[]]]]}}']);
    return refused({ method: "POST", path: many, apiKey, headers: json, body }, "validation_failed");
  },
  ({ random, apiKey }) => {
    // The largest body that the server reads, or one byte more.
    const isOver = random.chance(0.5);
    const body = `{}${" ".repeat(64 * 1024 - 2 + (isOver ? 1 : 0))}`;
    const parts = { method: "POST", path: many, apiKey, headers: json, body };
    return refused(parts, isOver ? "body_too_large" : "validation_failed");
  },
  ({ random, apiKey }) => {
    const id = `${random.integer(1, 1e9)}.~:-_`;
    const sent = random.pick([id, "x".repeat(128), "x".repeat(129), "a b", "<script>", "é"]);
    const isKept = /^[\w.:~-]{1,128}$/.test(sent);
    const judge = ({ headers }: RawAnswer) =>
      (headers.get("x-request-id") === sent) === isKept ? [] : [`the id ${sent} should ${isKept ? "" : "not "}be kept`];
    return { method: "GET", path: "/api/v1/account", apiKey, headers: { "x-request-id": sent }, judge };
  },
];

const brokenJson = [
  ...["{", '{"domain":', "{'a':1}", '{"domain":"a.com",}', "\ufeff{}x", "NaN", '{"domain":"a.com","domain":"b.com"}'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"domain":"\u0001"}', '{"a":1}{"b":2}', "["],
] as const;

function anything(random: Random): RequestParts {
  const [method, path] = random.pick([
    ["GET", many],
    ["GET", one],
    ["DELETE", one],
    ["GET", "/api/v1/x"],
  ] as const);
  return random.chance(0.7)
    ? { method, path }
    : { method: "POST", path: many, headers: json, body: JSON.stringify({ domain: pickDomain(random) }) };
}

function write(random: Random): { method: string; path: string } {
  return random.chance(0.5) ? { method: "POST", path: many } : { method: "PUT", path: one };
}

function refused(parts: RequestParts, code: ErrorCode, headers: readonly string[] = []): Operation {
  return {
    ...parts,
    judge: (answer) => [
      ...judgeProblem(answer, [code]),
      ...headers.filter((name) => !answer.headers.has(name)).map((name) => `it should have the header ${name}`),
    ],
  };
}
