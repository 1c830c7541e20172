import { once } from "node:events";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { describeOnEveryEngine, describeOnEveryEngineAtOnce } from "./support/engines.ts";
import { openConnection, readAnswer, readAnswers } from "./support/raw-request.ts";
import { type CallOptions, startTestServer, type TestServer } from "./support/test-server.ts";

const limitBytes = 64 * 1024;
const formType = { "Content-Type": "application/x-www-form-urlencoded" };

describeOnEveryEngineAtOnce("body_too_large, 413", (engine) => {
  test("a body of 64 KiB is accepted", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", { form: formOf(limitBytes) });
    expect(answer.website.domain).toBe("example.com");
  });

  test.for([limitBytes + 1, 65 * 1024, 20_000_000])(
    "a body of %i bytes is refused and the answer arrives",
    async (length) => {
      await using server = await startTestServer(engine);
      const answer = await server.call("POST", "/api/v1/websites", { form: formOf(length) });
      expect(answer.refusal).toEqual([413, "body_too_large"]);
      expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
    },
  );

  test("the limit also applies to a chunked body", async () => {
    await using server = await startTestServer(engine);
    const body = new Blob([formOf(65 * 1024)]).stream();
    const answer = await server.call("PUT", "/api/v1/websites/1", { body, headers: formType });
    expect(answer.refusal).toEqual([413, "body_too_large"]);
  });

  test("a length over the limit is refused before any of the body is sent", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    socket.write(headOf(server, `Content-Length: ${limitBytes + 1}`));
    expect((await answer).refusal).toEqual([413, "body_too_large"]);
    expect(server.log.entries).toEqual([expect.objectContaining({ status: 413 })]);
  });

  test("a chunked body without an end is refused at the limit, and no more of it is read", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    socket.write(headOf(server, "Transfer-Encoding: chunked"));
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const feed = setInterval(() => socket.write(chunk), 1);
    socket.once("close", () => clearInterval(feed));
    expect((await answer).refusal).toEqual([413, "body_too_large"]);
  });

  test("a client that closes its side after the answer does not have to wait", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    socket.write(headOf(server, `Content-Length: ${limitBytes + 1}`));
    await once(socket, "data");
    socket.destroy();
    await vi.waitFor(() => expect(server.log.entries).toHaveLength(1), { timeout: 1_500 });
  });

  test("the limit applies to a compressed body after decompression", async () => {
    await using server = await startTestServer(engine);
    const headers = { ...formType, "Content-Encoding": "gzip" };
    const small = await server.call("POST", "/api/v1/websites", {
      body: new Uint8Array(gzipSync(formOf(limitBytes))),
      headers,
    });
    expect(small.website.domain).toBe("example.com");
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(30_000_000, "a")));
    expect(bomb.length).toBeLessThan(limitBytes);
    const answer = await server.call("POST", "/api/v1/websites", { body: bomb, headers });
    expect(answer.refusal).toEqual([413, "body_too_large"]);
  });
});

/** What a request expects before it sends its body, and the answers that it gets: the final one and those before it. */
const expectations: Record<string, readonly [write: (server: TestServer) => string, answers: readonly number[]]> = {
  "no key": [() => head("/api/v1/websites", "Content-Length: 18"), [401]],
  "an unknown path": [(server) => head("/api/v1/nothing", keyOf(server), "Content-Length: 18"), [404]],
  "a type that is not read": [
    (server) => head("/api/v1/websites", keyOf(server), "Content-Type: text/plain", "Content-Length: 18"),
    [415],
  ],
  "a length over the limit": [(server) => headOf(server, "Expect: 100-continue", "Content-Length: 65537"), [413]],
  "all in order": [
    (server) => headOf(server, "Expect: 100-continue", "Content-Length: 18", "Connection: close"),
    [100, 201],
  ],
};

describeOnEveryEngineAtOnce("Expect: 100-continue", (engine) => {
  test.for(Object.entries(expectations))(
    "with %s is answered before the body is sent",
    async ([, [write, statuses]]) => {
      await using server = await startTestServer(engine);
      const socket = await openConnection(server.url);
      const answers = readAnswers(socket);
      socket.write(write(server));
      socket.once("data", (data) => {
        if (String(data).startsWith("HTTP/1.1 100 ")) socket.write("domain=example.com");
      });
      expect((await answers).map(({ status }) => status)).toEqual(statuses);
    },
  );
});

function head(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: a", "Expect: 100-continue", ...headers, "", ""].join("\r\n");
}

function keyOf({ key }: TestServer): string {
  return `Authorization: Bearer ${key}`;
}

function headOf(server: TestServer, ...headers: string[]): string {
  const type = "Content-Type: application/x-www-form-urlencoded";
  return ["POST /api/v1/websites HTTP/1.1", "Host: a", keyOf(server), type, ...headers, "", ""].join("\r\n");
}

/** Content types and encodings that are not accepted. */
const unread: Record<string, Readonly<Record<string, string>>> = {
  "text/plain": { "Content-Type": "text/plain" },
  "multipart/form-data": { "Content-Type": "multipart/form-data; boundary=x" },
  "application/xml": { "Content-Type": "application/xml" },
  "a type that begins like one that is read": { "Content-Type": "application/json-patch+json" },
  "no type": { "Content-Type": "" },
  "another charset": { "Content-Type": "application/json; charset=utf-16" },
  "the charset latin1 of a form": { "Content-Type": 'application/x-www-form-urlencoded; charset="iso-8859-1"' },
  "an unknown encoding": { ...formType, "Content-Encoding": "compress" },
};

describeOnEveryEngine("unsupported_media_type, 415", (engine) => {
  test.for(Object.entries(unread))("%s is refused, and the answer names what is accepted", async ([, headers]) => {
    await using server = await startTestServer(engine);
    for (const [method, path, header] of [
      ["POST", "/api/v1/websites", "Accept-Post"],
      ["PUT", "/api/v1/websites/1", "Accept"],
    ] as const) {
      const answer = await server.call(method, path, { body: new TextEncoder().encode("domain=example.com"), headers });
      expect(answer.refusal).toEqual([415, "unsupported_media_type"]);
      expect(answer.header(header)).toBe("application/x-www-form-urlencoded, application/json");
    }
  });

  test.for([
    ["application/x-www-form-urlencoded; charset=UTF-8", "domain=example.com"],
    ['Application/JSON;charset="utf-8"', '{"domain":"example.com"}'],
    ["application/json", '\ufeff{"domain":"example.com"}'],
  ] as const)("%s is accepted", async ([type, body]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", { body, headers: { "Content-Type": type } });
    expect(answer.website.domain).toBe("example.com");
  });

  test.for([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("a body in %s is accepted", async ([encoding, compress]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", {
      body: new Uint8Array(compress("domain=example.com")),
      headers: { ...formType, "Content-Encoding": encoding },
    });
    expect(answer.website.domain).toBe("example.com");
  });
});

/** The same fields in every spelling of a body. */
const spellings: Record<string, Pick<CallOptions, "form" | "json">> = {
  "a form with lines": {
    form: "domain=example.com&privacy=1&email=1&exclude_bots=0&exclude_params=gclid%0D%0Autm_*&exclude_ips=203.0.113.7%0A2001:db8::/32",
  },
  "a form with commas": {
    form: "domain=example.com&privacy=1&email=1&exclude_bots=0&exclude_params=gclid,utm_*&exclude_ips=203.0.113.7,+2001:db8::/32",
  },
  "a form with repeated fields": {
    form: "domain=example.com&privacy=1&email=1&exclude_bots=0&exclude_params=gclid&exclude_params=utm_*&exclude_ips=203.0.113.7&exclude_ips=2001:db8::/32",
  },
  "a form with brackets": {
    form: "domain=example.com&privacy=1&email=1&exclude_bots=0&exclude_params[]=gclid&exclude_params%5B%5D=utm_*&exclude_ips[]=203.0.113.7&exclude_ips[]=2001:db8::/32",
  },
  "JSON with arrays": {
    json: {
      domain: "example.com",
      privacy: 1,
      email: 1,
      exclude_bots: 0,
      exclude_params: ["gclid", "utm_*"],
      exclude_ips: ["203.0.113.7", "2001:db8::/32"],
    },
  },
  "JSON with texts": {
    json: {
      domain: "example.com",
      privacy: "1",
      email: "1",
      exclude_bots: "0",
      exclude_params: "gclid\nutm_*",
      exclude_ips: "203.0.113.7,2001:db8::/32",
    },
  },
};

describeOnEveryEngine("every spelling of a body", (engine) => {
  test.for(Object.entries(spellings))("%s gives the same record", async ([, body]) => {
    await using server = await startTestServer(engine);
    const created = await server.call("POST", "/api/v1/websites", body);
    expect(created.status).toBe(201);
    expect(created.website).toMatchObject({
      domain: "example.com",
      privacy: 1,
      has_password: false,
      email: 1,
      exclude_bots: 0,
      exclude_params: ["gclid", "utm_*"],
      exclude_ips: ["203.0.113.7", "2001:db8::/32"],
    });
  });

  test.for(["application/json", "application/x-www-form-urlencoded"])(
    "an empty body of %s is one without fields",
    async (type) => {
      await using server = await startTestServer(engine);
      await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
      const answer = await server.call("PUT", "/api/v1/websites/1", { body: "", headers: { "Content-Type": type } });
      expect(answer.website.domain).toBe("example.com");
    },
  );
});

function formOf(length: number): string {
  const start = "domain=example.com&exclude_ips=";
  return `${start}${"\n".repeat(length - start.length)}`;
}
