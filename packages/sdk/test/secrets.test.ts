import { format } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "./support/connect.ts";
import { keyOf } from "./support/keys.ts";
import { type Responder, serve } from "./support/serve.ts";

/** Answers 503, cuts the connection, answers 429, then 200, and sends back what it received in the headers and the body. */
const statuses = [503, undefined, 429, 200];
let requests = 0;
const echo: Responder = (response, { url, headers, body }) => {
  const status = statuses[requests % 4];
  requests += 1;
  if (status === undefined) return void response.destroy();
  const told = encodeURIComponent(`${url} ${headers.authorization} ${headers["x-note"]} ${body}`);
  const echoed = { "x-request-id": `r-${headers.authorization}`, ratelimit: `"${headers.authorization}";r=1;t=1` };
  response.writeHead(status, { "content-type": "application/problem+json", "x-told": told, ...echoed });
  const detail = `${headers.authorization}`;
  response.end(JSON.stringify({ code: "unavailable", title: "Busy", detail, data: {} }));
};

const anySecret = fc.stringMatching(/^[0-9A-Za-z]{12,20}$/);
const anySecrets = fc.record({ key: anySecret.map(keyOf), header: anySecret, query: anySecret, body: anySecret });

test("no event contains the key, or a header, the query or the body of the request", async () => {
  await using server = await serve(echo);
  const property = fc.asyncProperty(anySecrets, fc.constantFrom("POST", "PUT"), async (secrets, method) => {
    const seen: unknown[] = [];
    const note = (...values: unknown[]) => seen.push(...values);
    const send = connect({
      apiKey: secrets.key,
      baseUrl: server.baseUrl,
      maxRetries: 3,
      headers: { "x-note": secrets.header },
      onRequest: note,
      onResponse: note,
      // The error of an attempt is the service's own text, without the key.
      onRetry: ({ error, ...event }) => note(event, String(error)),
    });
    const request = {
      route: { method, path: `/api/v1/websites/${secrets.key}` },
      query: { search: secrets.query, key: secrets.key },
      body: { password: secrets.body, key: secrets.key },
    };
    await send(request).catch((error: unknown) => seen.push(String(error)));
    const text = format(...seen.map((value) => [value, JSON.stringify(value)]));
    expect(text).toContain("/api/v1/websites/[API key]");
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });
  await fc.assert(property, { numRuns: 20 });
});
