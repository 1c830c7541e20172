import type { RequestParts } from "../client/write-request.ts";

/** Requests with `{secret}`, or `{key}` for a secret that looks like an API key, in every place where a client can put one. */
export interface Places {
  /** Their answers may not contain it. Strings are sent as they are. */
  readonly silent: readonly (RequestParts | string)[];
  /** Their answers may repeat what the client sent in a path, a query, the name of a field or a content type. */
  readonly echoed: readonly (RequestParts | string)[];
}

export interface Keys {
  readonly apiKey: string;
  /** A key that can only read websites. */
  readonly readingKey: string;
  /** A key of an account that has reached its limit. */
  readonly fullKey: string;
}

const many = "/api/v1/websites";
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const headerNames = [
  ...["cookie", "x-api-key", "proxy-authorization", "user-agent", "referer", "if-match", "idempotency-key", "accept"],
];

/** Lists requests for every outcome except a failure of the server. */
export function listPlaces(keys: Keys, round: number): Places {
  return {
    silent: [...inHeaders(keys), ...inAddresses(keys), ...inBodies(keys, round), ...broken],
    echoed: echoed(keys),
  };
}

function inHeaders({ apiKey }: Keys): RequestParts[] {
  const get = { method: "GET", path: "/api/v1/account" };
  return [
    ...["{key}", "{key}x", "{key} {key}"].map((sent) => ({ ...get, apiKey: sent })),
    { ...get, headers: { authorization: "Basic {secret}" } },
    { ...get, apiKey, headers: { Authorization: "Bearer {secret}" } },
    { ...get, apiKey, headers: { "x-request-id": "{key}" } },
    { method: "GET", path: "/docs", apiKey: "{key}", headers: { "if-none-match": '"{key}"' } },
    ...headerNames.flatMap((name) => [
      { ...get, apiKey, headers: { [name]: "{secret}" } },
      { ...get, headers: { [name]: "{secret}" } },
    ]),
  ];
}

function inAddresses({ apiKey }: Keys): RequestParts[] {
  const keyless = [`${many}?password={secret}`, "/healthz?token={secret}", "/docs?url={secret}#{secret}"];
  const keyed = [
    ...[`${many}?api_key={secret}`, `${many}?password={secret}%zz`, `${many}?cursor={secret}`],
    `http://user:{secret}@127.0.0.1${many}`,
  ];
  return [
    ...keyless.map((path) => ({ method: "GET", path })),
    ...keyed.map((path) => ({ method: "GET", path, apiKey })),
  ];
}

function inBodies({ apiKey, readingKey, fullKey }: Keys, round: number): RequestParts[] {
  const domain = `site-${round}.example.com`;
  const post = { method: "POST", path: many, apiKey, headers: json };
  const put = { method: "PUT", path: `${many}/1`, apiKey, headers: json };
  const protect = (more: object = {}) => JSON.stringify({ domain, privacy: 2, password: "{secret}", ...more });
  const keyed = { ...post, headers: { ...json, "idempotency-key": `key-${round}` } };
  const bodies = [
    // The first creates the website, and the second finds its domain taken.
    ...[protect(), protect(), protect({ privacy: 0 }), protect({ email: "x", domain: 7 })],
    ...[protect({ password: "{secret}".repeat(20) }), protect({ password: ["{secret}", "{secret}"] })],
    ...[protect({ password: { value: "{secret}" } }), protect({ domain: `x-${domain}` }), '"{secret}"'],
    ...['{"password":"{secret}",', '{"password":"{secret}","password":"{secret}"}'],
    ...['{"password":"{secret}","__proto__":{}}', protect({ password: `{secret}${"x".repeat(70_000)}` })],
    protect({ domain: "https://u:{secret}@example.com/", password: "12345678" }),
  ];
  const forms = ["privacy=2&password={secret}", "password={secret}%zz", "password={secret}&password={secret}"];
  return [
    ...bodies.map((body) => ({ ...post, body })),
    ...[fullKey, readingKey, undefined].map((other) => ({ ...post, apiKey: other, body: protect() })),
    ...forms.map((body) => ({ ...put, headers: form, body })),
    { ...put, body: '{"privacy":2,"password":"{secret}"}' },
    { ...put, path: `${many}/999`, body: protect() },
    { ...post, headers: { "content-type": "text/plain" }, body: "{secret}" },
    ...["GET", "PATCH"].map((method) => ({ ...post, method, body: protect() })),
    { ...post, path: "/api/v1/login", body: protect() },
    // The first is stored for its idempotency key, and the second uses that again.
    ...[1, 2].map(() => ({ ...keyed, body: protect({ domain: `keyed-${round}.example.com` }) })),
    { ...post, headers: { ...json, "x-request-id": "{key}" }, body: `{"domain":"id-${round}.example.com"}` },
  ];
}

const broken = [
  "GET / HTTP/1.1\r\nhost: x\r\nauthorization {secret}\r\n\r\n",
  `GET / HTTP/1.1\r\nhost: x\r\nx-token: ${"{secret}".repeat(2000)}\r\n\r\n`,
  "{secret} / HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET / {secret}\r\nhost: x\r\n\r\n",
  "GET /\0{secret} HTTP/1.1\r\nhost: x\r\n\r\n",
  `POST ${many} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n{secret}\r\n`,
  `POST ${many} HTTP/1.1\r\nhost: x\r\ncontent-length: {secret}\r\n\r\n`,
];

function echoed({ apiKey }: Keys): (RequestParts | string)[] {
  const paths = [`${many}?search={secret}`, `${many}/{key}`, "/api/v1/keys/{key}/rotate"];
  return [
    ...[...paths, "/https://user:{secret}@example.com/"].map((path) => ({ method: "GET", path, apiKey })),
    ...["/{key}", "/docs/files/{key}/start.js"].map((path) => ({ method: "GET", path })),
    { method: "PATCH", path: `${many}/{key}`, apiKey },
    { method: "POST", path: many, apiKey, headers: json, body: '{"{secret}":1}' },
    { method: "POST", path: many, apiKey, headers: { "content-type": "{secret}" }, body: "{}" },
    `GET ${many} HTTP/1.1\r\nhost: user:{secret}@127.0.0.1\r\n\r\n`,
  ];
}
