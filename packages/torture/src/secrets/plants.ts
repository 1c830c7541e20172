import { type RequestParts, writeRequest } from "../client/write-request.ts";
import type { Planted } from "./planted.ts";

/** A request that contains a secret. */
export interface Plant {
  readonly place: string;
  readonly bytes: string;
  /** Whether the answer may repeat what the client sent in a path, a query or the name of a field. */
  readonly mayEcho: boolean;
}

export interface PlantOptions {
  readonly planted: Planted;
  readonly apiKey: string;
  /** A key that can only read websites. */
  readonly readingKey: string;
  /** A key of an account that has reached its limit. */
  readonly fullKey: string;
  /** Part of the domains. */
  readonly round: number;
}

const many = "/api/v1/websites";
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Builds requests with a secret in every place where a client can put one, for every outcome except a server failure. */
export function createPlants(options: PlantOptions): Plant[] {
  return [
    ...inHeaders(options),
    ...inAddresses(options),
    ...inBodies(options),
    ...inStoredRequests(options),
    ...inBrokenRequests(options),
  ];
}

type Write = (
  place: string,
  parts: (secret: string) => RequestParts | string,
  options?: { readonly isKey?: boolean; readonly mayEcho?: boolean },
) => Plant;

function writing({ planted }: PlantOptions): Write {
  return (place, parts, { isKey = false, mayEcho = false } = {}) => {
    const written = parts(isKey ? planted.key(place) : planted.text(place));
    return { place, bytes: typeof written === "string" ? written : writeRequest(written), mayEcho };
  };
}

function inHeaders(options: PlantOptions): Plant[] {
  const write = writing(options);
  const { apiKey } = options;
  const get = { method: "GET", path: "/api/v1/account" };
  const named = [
    "cookie",
    "x-api-key",
    "proxy-authorization",
    "user-agent",
    "referer",
    "if-match",
    "idempotency-key",
    "accept",
  ];
  return [
    write("an unknown key", (secret) => ({ ...get, apiKey: secret }), { isKey: true }),
    write("a mistyped key", (secret) => ({ ...get, apiKey: `${secret}x` }), { isKey: true }),
    write("a key in two parts", (secret) => ({ ...get, apiKey: `${secret} ${secret}` }), { isKey: true }),
    write("basic authorization", (secret) => ({ ...get, headers: { authorization: `Basic ${secret}` } })),
    write("a second authorization", (secret) => ({ ...get, apiKey, headers: { Authorization: `Bearer ${secret}` } })),
    write("a key as request id", (secret) => ({ ...get, apiKey, headers: { "x-request-id": secret } }), {
      isKey: true,
    }),
    write(
      "a content type",
      (secret) => ({ method: "POST", path: many, apiKey, headers: { "content-type": secret }, body: "{}" }),
      { mayEcho: true },
    ),
    ...named.map((name) => write(`the header ${name}`, (secret) => ({ ...get, apiKey, headers: { [name]: secret } }))),
    ...named.map((name) =>
      write(`the header ${name} without a key`, (secret) => ({ ...get, headers: { [name]: secret } })),
    ),
  ];
}

function inAddresses(options: PlantOptions): Plant[] {
  const write = writing(options);
  const { apiKey } = options;
  const get = { method: "GET", apiKey };
  const echoed = { isKey: true, mayEcho: true };
  return [
    write("a query", (secret) => ({ ...get, path: `${many}?api_key=${secret}` })),
    write("a query without a key", (secret) => ({ method: "GET", path: `${many}?password=${secret}` })),
    write("a query of a public page", (secret) => ({ method: "GET", path: `/healthz?token=${secret}` })),
    write("a query of the page", (secret) => ({ method: "GET", path: `/docs?url=${secret}#${secret}` })),
    write("a key in a file of the page", (secret) => ({ method: "GET", path: `/docs/files/${secret}/start.js` }), {
      isKey: true,
    }),
    write("a key and a tag for the page", (secret) => ({
      method: "GET",
      path: "/docs",
      apiKey: secret,
      headers: { "if-none-match": `"${secret}"` },
    })),
    write("a broken query", (secret) => ({ ...get, path: `${many}?password=${secret}%zz` })),
    write("a search", (secret) => ({ ...get, path: `${many}?search=${secret}` }), { mayEcho: true }),
    write("a cursor", (secret) => ({ ...get, path: `${many}?cursor=${secret}` })),
    write("a key as id", (secret) => ({ ...get, path: `${many}/${secret}` }), echoed),
    write("a key in a path", (secret) => ({ ...get, path: `/api/v1/keys/${secret}/rotate` }), echoed),
    write("a key in a path without a key", (secret) => ({ method: "GET", path: `/${secret}` }), echoed),
    write(
      "a key in a path and another method",
      (secret) => ({ ...get, method: "PATCH", path: `${many}/${secret}` }),
      echoed,
    ),
    write("a user name of the target", (secret) => ({ ...get, path: `http://user:${secret}@127.0.0.1${many}` })),
    write("a user name in a path", (secret) => ({ ...get, path: `/https://user:${secret}@example.com/` }), {
      mayEcho: true,
    }),
    write("the Host header", (secret) => `GET ${many} HTTP/1.1\r\nhost: user:${secret}@127.0.0.1\r\n\r\n`, {
      mayEcho: true,
    }),
  ];
}

function inBodies(options: PlantOptions): Plant[] {
  const write = writing(options);
  const { apiKey, readingKey, fullKey, round } = options;
  const domain = `site-${round}.example.com`;
  const post = { method: "POST", path: many, apiKey, headers: json };
  const put = { method: "PUT", path: `${many}/1`, apiKey, headers: json };
  const protect = (password: unknown, more = {}) => JSON.stringify({ domain, privacy: 2, password, ...more });
  return [
    write("a password", (secret) => ({ ...post, body: protect(secret) })),
    write("a password of a taken domain", (secret) => ({ ...post, body: protect(secret) })),
    write("a password past the website limit", (secret) => ({ ...post, apiKey: fullKey, body: protect(secret) })),
    write("a password without the scope", (secret) => ({ ...post, apiKey: readingKey, body: protect(secret) })),
    write("a password without a key", (secret) => ({ ...post, apiKey: undefined, body: protect(secret) })),
    write("a password for the wrong privacy", (secret) => ({ ...post, body: protect(secret, { privacy: 0 }) })),
    write("a password next to an invalid field", (secret) => ({
      ...post,
      body: protect(secret, { email: "x", domain: 7 }),
    })),
    write("a long password", (secret) => ({ ...post, body: protect(secret.repeat(20)) })),
    write("a list of passwords", (secret) => ({ ...post, body: protect([secret, secret]) })),
    write("a password in an object", (secret) => ({ ...post, body: protect({ value: secret }) })),
    write("a password in an update", (secret) => ({
      ...put,
      body: JSON.stringify({ privacy: 2, password: secret }),
    })),
    write("a password for a website that does not exist", (secret) => ({
      ...put,
      path: `${many}/999`,
      body: protect(secret),
    })),
    write("a password in a form", (secret) => ({ ...put, headers: form, body: `privacy=2&password=${secret}` })),
    write("a password in a broken form", (secret) => ({ ...put, headers: form, body: `password=${secret}%zz` })),
    write("a password sent twice", (secret) => ({
      ...put,
      headers: form,
      body: `password=${secret}&password=${secret}`,
    })),
    write("a password in broken JSON", (secret) => ({ ...post, body: `{"password":"${secret}",` })),
    write("a password named twice", (secret) => ({ ...post, body: `{"password":"${secret}","password":"${secret}"}` })),
    write("a password next to a prototype", (secret) => ({ ...post, body: `{"password":"${secret}","__proto__":{}}` })),
    write("JSON that is a password", (secret) => ({ ...post, body: JSON.stringify(secret) })),
    write("a body of another type", (secret) => ({ ...post, headers: { "content-type": "text/plain" }, body: secret })),
    write("a body that is too large", (secret) => ({ ...post, body: protect(`${secret}${"x".repeat(70_000)}`) })),
    write("a body of a read", (secret) => ({ ...post, method: "GET", body: protect(secret) })),
    write("a body of an unknown path", (secret) => ({ ...post, path: "/api/v1/login", body: protect(secret) })),
    write("a body of another method", (secret) => ({ ...post, method: "PATCH", body: protect(secret) })),
    write("the user name of a domain", (secret) => ({
      ...post,
      body: protect("12345678", { domain: `https://u:${secret}@example.com/` }),
    })),
    write("the name of a field", (secret) => ({ ...post, body: `{"${secret}":1}` }), { mayEcho: true }),
    write("the answer to a good password", (secret) => ({ ...post, body: protect(secret, { domain: `x-${domain}` }) })),
  ];
}

function inStoredRequests(options: PlantOptions): Plant[] {
  const write = writing(options);
  const { apiKey, round } = options;
  const post = { method: "POST", path: many, apiKey };
  const keyed = { ...post, headers: { ...json, "idempotency-key": `key-${round}` } };
  const protect = (password: string) => JSON.stringify({ domain: `keyed-${round}.example.com`, privacy: 2, password });
  const body = JSON.stringify({ domain: `id-${round}.example.com` });
  return [
    write("a password with an idempotency key", (secret) => ({ ...keyed, body: protect(secret) })),
    write("a password with a used idempotency key", (secret) => ({ ...keyed, body: protect(secret) })),
    write(
      "a key as request id of a change",
      (secret) => ({ ...post, headers: { ...json, "x-request-id": secret }, body }),
      { isKey: true },
    ),
  ];
}

function inBrokenRequests({ planted }: PlantOptions): Plant[] {
  const broken: Readonly<Record<string, (secret: string) => string>> = {
    "a broken header": (secret) => `GET / HTTP/1.1\r\nhost: x\r\nauthorization ${secret}\r\n\r\n`,
    "a header that is too long": (secret) => `GET / HTTP/1.1\r\nhost: x\r\nx-token: ${secret.repeat(2000)}\r\n\r\n`,
    "a broken method": (secret) => `${secret} / HTTP/1.1\r\nhost: x\r\n\r\n`,
    "a broken version": (secret) => `GET / ${secret}\r\nhost: x\r\n\r\n`,
    "a broken target": (secret) => `GET /\u0000${secret} HTTP/1.1\r\nhost: x\r\n\r\n`,
    "a broken chunk": (secret) => `POST ${many} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${secret}\r\n`,
    "a broken length": (secret) => `POST ${many} HTTP/1.1\r\nhost: x\r\ncontent-length: ${secret}\r\n\r\n`,
  };
  return Object.entries(broken).map(([place, parts]) => ({ place, bytes: parts(planted.text(place)), mayEcho: false }));
}
