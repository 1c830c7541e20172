import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "@siteward/testing/listen";
import { readCpuSeconds } from "@siteward/testing/process-tree";
import { beforeAll, expect, test, vi } from "vitest";
import { type Edge, useSetting } from "./support/edge.ts";
import { startPeer } from "./support/peer.ts";

const setting = useSetting();
let edge: Edge;
let umami: Edge;
beforeAll(async () => {
  [edge, umami] = await Promise.all([setting.open(), setting.open({ COLLECT: "umami", TRUST_PROXY: "off" })]);
});

const patience = { timeout: 60_000, interval: 20 };
const browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const visit = `GET /matomo.php?url=https%3A%2F%2Fshop.example%2F HTTP/1.1\r\nHost: a\r\n${browser}\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${browser}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const open = ({ port }: Edge) => connect(port, "127.0.0.1").on("error", () => undefined);
const isAlive = async () => (await edge.send({ method: "GET", path: "/" })).status === 200;
const readMemory = async (name: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${edge.child.pid}/status`, "utf8"))?.[1]) / 1000;

/** Sends bytes, and returns what comes back until the edge, or the test, ends the connection. */
async function sendRaw(to: Edge, bytes: string): Promise<string> {
  const socket = open(to);
  socket.write(bytes, "latin1");
  const timer = setTimeout(() => socket.end(), 2_000);
  return await text(socket).finally(() => clearTimeout(timer));
}

test("of requests that come at once on a connection, the first is answered, and the others are refused", async () => {
  const received = await sendRaw(edge, `${visit}\r\n${visit}\r\n`);
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 503"]);
});

test("half of a surrogate pair in what is cleaned ends nothing", async () => {
  await sendRaw(edge, post("/matomo.php", '{"requests":["?url=https://shop.example/\\ud800?utm_a=1"]}'));
  expect(await isAlive()).toBe(true);
});

test("a field without a name says nothing of a visit", async () => {
  const plausible = await setting.open({ COLLECT: "plausible" });
  const body = '{"url":"https://shop.example/","":"curl/8.14.1"}';
  setting.peer.take();
  await sendRaw(plausible, post("/api/event", body));
  expect(setting.peer.take()).toHaveLength(1);
});

test("a client that resets its connection before its request is read ends nothing", async () => {
  for (let count = 0; count < 3; count += 1) {
    edge.child.kill("SIGSTOP");
    const socket = open(edge);
    await new Promise((resolve) => socket.write(`${visit}X-Forwarded-For: 198.51.100.7\r\n\r\n`, resolve));
    await sleep(50);
    socket.resetAndDestroy();
    await sleep(50);
    edge.child.kill("SIGCONT");
    expect(await isAlive()).toBe(true);
  }
});

test("an answer that Node reads and does not write, or that changes the protocol unasked, ends nothing", async () => {
  let line = "";
  const answer = (socket: Socket) => socket.on("data", () => socket.write(`${line}\r\nContent-Length: 2\r\n\r\nok`));
  await using peer = await listen(createServer((socket) => void answer(socket)));
  const between = await setting.open({ PEER: peer.url });
  const ask = async (path: string) => (await between.send({ method: "GET", path })).status;
  for (const [status, sent] of [
    [200, "HTTP/1.1 200 O\u0001K"],
    [502, "HTTP/1.1 099 Odd"],
    [502, "HTTP/1.1 101 Odd\r\nConnection: Upgrade\r\nUpgrade: x"],
  ] as const) {
    line = sent;
    expect([await ask("/"), await ask("/matomo.php?url=https://shop.example/")]).toEqual([status, status]);
  }
});

test("a visit with 500,000 spaces in its URL takes less than a second of a processor", async () => {
  const url = `https://shop.example/${" ".repeat(500_000)}x`;
  const before = readCpuSeconds(umami.child.pid ?? 0);
  await umami.send({ method: "POST", path: "/api/send", body: JSON.stringify({ payload: { url } }) });
  expect(readCpuSeconds(umami.child.pid ?? 0) - before).toBeLessThan(1);
});

test("a body of more than 1,000 visits is a 413", async () => {
  const send = async (visits: number) =>
    (await umami.send({ method: "POST", path: "/api/batch", body: `[${"1,".repeat(visits - 1)}1]` })).status;
  expect([await send(1_000), await send(500_000)]).toEqual([200, 413]);
});

test("a value that is cleaned keeps its characters in a body that is not UTF-8", async () => {
  setting.peer.take();
  // As Latin-1, each would be a quotation mark.
  const url = "https://shop.example/?utm_a=1&b=\\u0122,\\u0122ip\\u0122:\\u01229.9.9.9\\u0122,\\u0122z\\u0122:\\u0122";
  const cleaned = JSON.parse(`"${url.replace("utm_a=1&", "")}"`);
  await sendRaw(umami, post("/api/send", `{"x":"\xff","payload":{"hostname":"shop.example","url":"${url}"}}`));
  const bulk = (text: string) => `{"x":"\xff","requests":["?x=\\u0122&url=${text}"]}`;
  await sendRaw(edge, post("/matomo.php", bulk("https://shop.example/?utm_a=1")));
  const sent = setting.peer.take().map(({ body }) => JSON.parse(body.toString("latin1")));
  const requests = [`?x=\u0122&url=${encodeURIComponent("https://shop.example/")}`];
  expect(sent).toEqual([
    { x: "\xff", payload: { hostname: "shop.example", url: cleaned } },
    { x: "\xff", requests },
  ]);
});

test("a body in pieces of one byte takes the memory of a body", async () => {
  const socket = open(edge);
  const before = await readMemory("VmRSS");
  socket.write("POST /matomo.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (let count = 0; count < 100; count += 1)
    if (!socket.write("1\r\na\r\n".repeat(10_000))) await once(socket, "drain");
  await sleep(1_000);
  expect((await readMemory("VmRSS")) - before).toBeLessThan(250);
  socket.destroy();
});

test("of bodies that are not read to their end, 64 are held", async () => {
  const sockets = Array.from({ length: 300 }, () => open(edge));
  for (const socket of sockets) {
    socket.write("POST /matomo.php HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    socket.write(Buffer.alloc(999_999, 97));
  }
  const isRefused = async () => /refused_requests_total\{status="503"\} \d{3}/.test(await edge.read("/metrics"));
  await vi.waitUntil(isRefused, patience);
  expect(await readMemory("VmHWM")).toBeLessThan(400);
  // What does not arrive within 10 s is refused.
  expect(await text(sockets.at(0) ?? open(edge))).toMatch(/^HTTP\/1.1 408 /);
  await vi.waitUntil(async () => /in_flight 0$/m.test(await edge.read("/metrics")), patience);
});

test.each(["websocket", "h2c"])("the analytics system is not asked for another protocol: %s", async (protocol) => {
  setting.peer.take();
  const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nContent-Length: 5\r\n`;
  const received = await sendRaw(edge, `POST /live HTTP/1.1\r\nHost: a\r\n${upgrade}\r\nhello${visit}\r\n`);
  expect(received).toMatch(/^HTTP\/1.1 200 /);
  const [first] = setting.peer.take();
  expect([first?.path, `${first?.body}`, first?.headers.upgrade]).toEqual(["/live", "hello", undefined]);
});

test("a visit whose client has gone is in flight until the analytics system answers", async () => {
  const answers: (() => void)[] = [];
  await using peer = await startPeer((_, response) => void answers.push(() => response.end("ok")));
  const between = await setting.open({ PEER: peer.url });
  const socket = open(between);
  socket.write(`${visit}\r\n`);
  await vi.waitUntil(() => answers.length === 1, patience);
  socket.destroy();
  await sleep(300);
  expect(await between.read("/metrics")).toMatch(/in_flight 1$/m);
  answers[0]?.();
  await vi.waitUntil(async () => /in_flight 0$/m.test(await between.read("/metrics")), patience);
});
