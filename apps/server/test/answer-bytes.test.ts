import { openConnection, readToEnd } from "@siteward/testing/raw-connection";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const json = "Content-Type: application/json";

/** Each begins a connection of its own, and asks for its end. `{key}` stands for an API key. */
const requests: readonly string[] = [
  ...[create("example.com"), create("bücher.example"), create("example.com"), create("http://a.example/")],
  ...[get(websites), get(`${websites}?search=e+x&sort=asc`), get(`${websites}?sort_by=domain&per_page=25`)],
  ...[get(`${websites}/1`), get(`${websites}/1/`), get(`${websites}/%31`), get(`${websites}/1?colour=red`)],
  ...[request(`HEAD ${websites}/1`), request(`HEAD ${websites}/9`), request(`OPTIONS ${websites}/1`)],
  ...[get(`${websites}/1`, 'If-None-Match: "1-1-1"'), get(`${websites}/1`, 'If-None-Match: "1-1-2"')],
  ...[get(websites, "If-None-Match: *"), get("/healthz", "If-None-Match: *"), get(`${websites}/9`, "If-None-Match: *")],
  ...[get("/api/v1/account", "If-None-Match: *"), request(`HEAD ${websites}/1`, 'If-None-Match: "1-1-1"')],
  ...[
    get(`${websites}/1`, 'If-Match: "1-1-2"'),
    get(`${websites}/1`, 'If-None-Match: "a"', 'If-None-Match: W/"1-1-1"'),
  ],
  ...[request(`DELETE ${websites}/1`, 'If-Match: "1-1-2"'), request(`DELETE ${websites}/1`, "If-None-Match: *")],
  ...[get(`${websites}/1`, "If-None-Match: 1-1"), request(`POST ${websites}`, "If-Match: *")],
  ...[
    put(1, '{"email":1}'),
    put(9, '{"email":1}'),
    put(1, '{"exclude_params":["ü"]}'),
    request(`DELETE ${websites}/2`),
    request(`DELETE ${websites}/2`),
  ],
  ...[
    get("/api/v1/account"),
    get("/healthz"),
    get("/readyz"),
    request("HEAD /openapi.json"),
    get("/docs/errors/internal"),
  ],
  ...[get("/docs/errors/nothing"), get("/nothing"), get("/api/v1/nothing"), get("/%zz"), request(`PATCH ${websites}`)],
  ...[
    anonymous(websites),
    anonymous(websites, "Authorization: Bearer wrong"),
    anonymous(websites, "Authorization: Basic a"),
  ],
  ...[anonymous(websites, "Authorization: Bearer {narrow}"), create("example.net", "{limited}")],
  ...[
    get(`${websites}/x`),
    get(`${websites}?page=0&colour=red`),
    get(`${websites}?search=%ff`),
    get(websites, "Host: b"),
  ],
  ...[put(1, "{"), put(1, "<a/>", "Content-Type: text/xml"), put(1, `"${"x".repeat(65_536)}"`)],
  `${request(`PUT ${websites}/1`, json, "Content-Length: 2", "Expect: 100-continue")}{}`,
  // The body does not follow.
  request(`PUT ${websites}/1`, json, "Content-Length: 65537"),
  ...["GET /healthz HTTP/1.0\r\n\r\n", `GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${get("/healthz")}`],
  `GET ${websites}/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n\r\n${get("/healthz")}`,
  ...["GET / HTTP/2.0\r\nHost: a\r\n\r\n", "nonsense\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
];

/**
 * The file contains the bytes of one answer of each kind: each route, each status, each error, each kind of connection. They are
 * the same on every engine. If a change of it is intended, `pnpm test answer-bytes -u` writes it again.
 */
describeOnEveryEngine("every kind of answer", (engine) => {
  test("keeps its bytes: the status line, the headers in their order, and the content", async () => {
    await using server = await startTestServer(engine, { publicUrl: "https://siteward.example" });
    const keys = {
      key: server.key,
      narrow: await server.addKey({ scopes: ["account:read"] }),
      limited: (await server.addAccount(0)).key,
    };
    const exchanges: string[] = [];
    const play = async (sent: string) => {
      const withKey = sent.replaceAll(/\{(key|narrow|limited)\}/g, (_, name: keyof typeof keys) => keys[name]);
      const socket = await openConnection(server.url);
      const received = readToEnd(socket);
      socket.write(withKey);
      exchanges.push(`${shorten(sent)}${mask(await received)}\n`);
    };
    for (const sent of requests) await play(sent);
    await server.execute("alter table websites rename column privacy to elsewhere");
    await play(get(websites));
    await server.storage.close();
    await play(get("/readyz"));
    await expect(exchanges.join("\n").replaceAll("\r", "")).toMatchFileSnapshot("support/answer-bytes.txt");
  });
});

function create(domain: string, key = "{key}"): string {
  const body = JSON.stringify({ domain });
  return anonymous(websites, `Authorization: Bearer ${key}`, json, `Content-Length: ${Buffer.byteLength(body)}`)
    .replace("GET", "POST")
    .concat(body);
}

function put(id: number, body: string, type = json): string {
  return request(`PUT ${websites}/${id}`, type, `Content-Length: ${Buffer.byteLength(body)}`).concat(body);
}

function get(path: string, ...headers: string[]): string {
  return request(`GET ${path}`, ...headers);
}

function request(methodAndPath: string, ...headers: string[]): string {
  return head(methodAndPath, "Authorization: Bearer {key}", ...headers);
}

function anonymous(path: string, ...headers: string[]): string {
  return head(`GET ${path}`, ...headers);
}

function head(methodAndPath: string, ...headers: string[]): string {
  return [`${methodAndPath} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""].join("\r\n");
}

function shorten(sent: string): string {
  const lines = sent.split("\r\n").filter((line) => line !== "" && line !== "Host: a" && line !== "Connection: close");
  return lines.map((line) => `> ${line.slice(0, 100)}\n`).join("");
}

/** Replaces what differs from run to run. */
function mask(received: string): string {
  return Buffer.from(received, "latin1")
    .toString()
    .replaceAll(/^Date: .*$/gm, "Date: <date>\r")
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "<id>")
    .replaceAll(/W\/"\d+\.[^"]+"/g, 'W/"<tag>"')
    .replaceAll(/"swk_\w+"/g, '"<prefix>"')
    .replaceAll(/"last_used_at":(?:null|"[^"]+")/g, '"last_used_at":"<time>"')
    .replaceAll(/"changes_cursor":"[\w-]+"/g, '"changes_cursor":"<cursor>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}
