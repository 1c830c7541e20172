import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { findFreePort } from "@siteward/testing/find-free-port";
import { listen } from "@siteward/testing/listen";
import { expect, test, vi } from "vitest";
import { useSetting } from "./support/edge.ts";
import { startPeer } from "./support/peer.ts";

const setting = useSetting();
const patience = { timeout: 60_000, interval: 20 };
const visit = (number: number) => ({
  method: "GET",
  path: `/matomo.php?idsite=1&url=${encodeURIComponent(`https://shop.example/${number}`)}`,
});
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

test("a peer that is down is a 502, also for a page", async () => {
  const edge = await setting.open({ PEER: `http://127.0.0.1:${await findFreePort()}` });
  for (const path of [visit(1).path, "/"]) {
    const { status, headers } = await edge.send({ method: "GET", path });
    expect([status, headers["access-control-allow-origin"]]).toEqual([502, "*"]);
  }
});

test("a peer that hangs is a 504 after 10 s, and while 2,000 requests wait, another one is a 503", async () => {
  await using peer = await startPeer(({ url }, response) => void (url?.endsWith("0") && response.end("ok")));
  const edge = await setting.open({ PEER: peer.url });
  // Of a connection that is used again, the peer has said that it closes it after 5 s without a request.
  expect((await edge.send(visit(0))).status).toBe(200);
  const start = performance.now();
  expect((await edge.send(visit(1))).status).toBe(504);
  expect(performance.now() - start).toBeGreaterThan(9_900);
  // A page may take longer.
  const pages = numbers(2_000).map(() => edge.send({ method: "GET", path: "/" }).catch(() => undefined));
  await vi.waitUntil(async () => /in_flight 2000$/m.test(await edge.read("/metrics")), patience);
  const { status, headers } = await edge.send(visit(2));
  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  edge.child.kill("SIGKILL");
  await Promise.all(pages);
});

test("each visit arrives once at a peer that resets idle connections, and one that resets new ones is a 502", async () => {
  const seen: string[] = [];
  let isResetting = false;
  // A connection answers one request, and is reset as the next one comes.
  const onConnection = (socket: Socket) => {
    socket.once("data", (head) => {
      if (isResetting) return void socket.resetAndDestroy();
      seen.push(`${head}`.split(" ")[1] ?? "");
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      socket.once("data", () => socket.resetAndDestroy());
    });
  };
  await using peer = await listen(createServer(onConnection));
  const edge = await setting.open({ PEER: peer.url });
  for (const number of numbers(40)) expect((await edge.send(visit(number))).status).toBe(200);
  expect(seen).toEqual(numbers(40).map((number) => visit(number).path));
  isResetting = true;
  expect((await edge.send(visit(1))).status).toBe(502);
});

test("an upload passes through as it comes", async () => {
  await using peer = await startPeer();
  const parts: number[] = [];
  peer.server.prependListener("request", (request) => request.on("data", (part: Buffer) => parts.push(part.length)));
  const edge = await setting.open({ PEER: peer.url });
  const upload = connect(edge.port, "127.0.0.1");
  upload.write("POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 8000000\r\n\r\n");
  upload.write(Buffer.alloc(1_000_000, 1));
  await vi.waitUntil(() => parts.reduce((sum, part) => sum + part, 0) === 1_000_000, patience);
  upload.write(Buffer.alloc(7_000_000, 2));
  expect(await text(upload)).toContain("200 OK");
  expect(peer.take()[0]?.body.equals(Buffer.concat([Buffer.alloc(1_000_000, 1), Buffer.alloc(7_000_000, 2)]))).toBe(
    true,
  );
});

test("a visit of more than 1 MiB is a 413, and one whose sender goes at once is counted", async () => {
  await using peer = await startPeer();
  const edge = await setting.open({ PEER: peer.url });
  const large = { method: "POST", path: "/matomo.php", headers: { "content-type": "application/json" } };
  expect((await edge.send({ ...large, body: " ".repeat(1024 * 1024) })).status).toBe(200);
  expect((await edge.send({ ...large, body: " ".repeat(1024 * 1024 + 1) })).status).toBe(413);
  expect(peer.take()).toHaveLength(1);
  const socket = connect(edge.port, "127.0.0.1");
  socket.end(
    `GET ${visit(7).path} HTTP/1.1\r\nHost: a\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\r\n`,
    () => socket.destroy(),
  );
  await vi.waitUntil(() => peer.take().some(({ path }) => path === visit(7).path), patience);
});

test("SIGTERM under load ends with 0, and every visit that was accepted is answered", async () => {
  const told = Promise.withResolvers<void>();
  await using peer = await startPeer((_, response) => void told.promise.then(() => response.end("ok")));
  const edge = await setting.open({ PEER: peer.url });
  const answers = numbers(200).map((number) => edge.send(visit(number)).then(({ status }) => status));
  await vi.waitUntil(async () => /in_flight 200$/m.test(await edge.read("/metrics")), patience);
  edge.child.kill("SIGTERM");
  const isGone = () =>
    edge.read("/livez").then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isGone, patience);
  await expect(edge.send(visit(1))).rejects.toThrow("ECONNREFUSED");
  told.resolve();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect((await edge.ended).exitCode).toBe(0);
  expect(peer.take()).toHaveLength(200);
});

test.for(["content-length", "Content-Length, keep-alive", "host", "transfer-encoding, content-length"])(
  "a header that frames a request is not removed because Connection names it: %s",
  async (connection) => {
    const edge = await setting.open();
    const hidden = `GET ${visit(7).path} HTTP/1.1\r\nHost: a\r\nUser-Agent: curl/8\r\n\r\n`;
    for (const method of ["POST", "GET", "PUT", "DELETE"])
      await edge.send({ method, path: "/page", body: hidden, headers: { connection } });
    const arrived = setting.peer.take().map(({ path, body, headers }) => [path, `${body}`, headers.host]);
    expect(arrived).toEqual(Array.from({ length: 4 }, () => ["/page", hidden, "stats.example"]));
  },
);

test("a burst of 2,000 connections waits while the edge is busy, and is not reset", async () => {
  const edge = await setting.open();
  edge.child.kill("SIGSTOP");
  const sockets = numbers(2_000).map(() => connect(edge.port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.destroy();
  edge.child.kill("SIGCONT");
});
