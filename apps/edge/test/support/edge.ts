import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@siteward/testing/find-free-port";
import { startProcess } from "@siteward/testing/start-process";
import { afterAll, beforeAll } from "vitest";
import { startPeer } from "./peer.ts";
import { startSiteward } from "./siteward.ts";

/** A request from a proxy on this machine: that of a browser at 198.51.100.7, unless its headers say something else. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer | undefined;
  /** One that is undefined is not sent. */
  readonly headers?: IncomingHttpHeaders;
}

/** An answer. A character of its body is a byte. */
export type Received = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>;
export type Edge = Awaited<ReturnType<typeof startEdge>>;
type Settings = Readonly<Record<string, string>>;

/** Starts Siteward and a peer for the tests of a file. They end after them, as do the edges. */
export function useSetting() {
  const resources = new AsyncDisposableStack();
  const setting = {
    // Both are there before the first test.
    peer: {} as Awaited<ReturnType<typeof startPeer>>,
    siteward: {} as Awaited<ReturnType<typeof startSiteward>>,
    /** @param settings those of the edge without their prefix. By default it collects for Matomo, and sends to the peer. */
    async start(settings: Settings = {}) {
      const { peer, siteward } = setting;
      return resources.use(await startEdge({ ...siteward.credentials, PEER: peer.url, ...settings }));
    },
    /** Starts an edge, and waits until it listens. */
    async open(settings?: Settings) {
      const edge = await setting.start(settings);
      await edge.listens();
      return edge;
    },
  };
  beforeAll(async () => {
    setting.peer = resources.use(await startPeer());
    setting.siteward = resources.use(await startSiteward());
  });
  afterAll(() => resources.disposeAsync());
  return setting;
}

const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Starts the program in its own process, in a folder of its own. */
async function startEdge(settings: Settings) {
  const folder = await mkdtemp(join(tmpdir(), "siteward-edge-"));
  const [LISTEN = "", OPERATE = ""] = [await findFreePort(), await findFreePort()].map((port) => `127.0.0.1:${port}`);
  const own = Object.entries({ COLLECT: "matomo", LISTEN, OPERATE, ...settings });
  const named = own.map(([name, value]) => [name.startsWith("SITEWARD_") ? name : `SITEWARD_EDGE_${name}`, value]);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...Object.fromEntries(named) };
  const running = startProcess([process.execPath, program], { cwd: folder, env });
  const url = `http://${LISTEN}`;
  const read = async (path: string) => (await fetch(`http://${OPERATE}${path}`)).text();
  return {
    ...running,
    ...{ url, port: Number(new URL(url).port), folder, read },
    send: (sent: Sent) => send(url, sent),
    async listens() {
      while ((await read("/livez").catch(() => "")) === "") {
        if (running.child.exitCode !== null) throw new Error(`It ended: ${running.written.stderr}`);
        await sleep(20);
      }
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const usual = { host: "stats.example", "user-agent": userAgent, "x-forwarded-for": "198.51.100.7" };

/** Sends a path as it is, also one that clients would normalize, on a connection of its own. */
async function send(url: string, { method, path, body, headers }: Sent): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const { hostname, port } = new URL(url);
  const length = body === undefined ? undefined : Buffer.byteLength(body);
  const all = Object.entries({ "content-length": length, ...usual, ...headers });
  const sent = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const sending = request({ hostname, port, path, method, headers: sent, agent: false }, (answer) => {
    const { statusCode: status = 0, headers: received } = answer;
    text(answer.setEncoding("latin1")).then((read) => resolve({ status, headers: received, body: read }), reject);
  });
  sending.on("error", reject).end(body);
  return await promise;
}
