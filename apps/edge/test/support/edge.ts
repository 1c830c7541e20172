import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@siteward/testing/find-free-port";
import { type RunningProcess, startProcess } from "@siteward/testing/start-process";
import { afterAll, beforeAll } from "vitest";
import { type Peer, startPeer } from "./peer.ts";
import { startSiteward } from "./siteward.ts";

/** A request from a proxy on this machine: that of a browser at 198.51.100.7, unless its headers say something else. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer | undefined;
  /** One that is undefined is not sent. */
  readonly headers?: IncomingHttpHeaders;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** A character is a byte. */
  readonly body: string;
}

/** The program in its own process, in a folder of its own. */
export interface Edge extends RunningProcess {
  readonly url: string;
  readonly operateUrl: string;
  readonly folder: string;
  send(sent: Sent): Promise<Received>;
  /** Waits until it listens. */
  listens(): Promise<void>;
  /** Reads what is at an operator's path. */
  read(path: string): Promise<string>;
}

type Settings = Readonly<Record<string, string>>;
const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The world of the tests of a file: Siteward, the peer, and the edges that they start, until all of them have ended. */
export interface Setting {
  readonly peer: Peer;
  readonly credentials: Settings;
  /** @param settings those of the edge without their prefix. By default it collects for Matomo, and sends to the peer. */
  start(settings?: Settings): Promise<Edge>;
  /** Starts an edge, and waits until it listens. */
  open(settings?: Settings): Promise<Edge>;
}

export function useSetting(): Setting {
  const resources = new AsyncDisposableStack();
  const setting = {
    async start(settings: Settings = {}) {
      return resources.use(await startEdge({ ...this.credentials, PEER: this.peer.url, ...settings }));
    },
    async open(settings?: Settings) {
      const edge = await this.start(settings);
      await edge.listens();
      return edge;
    },
    // They are there before the first test.
  } as Setting;
  beforeAll(async () => {
    const [peer, { credentials }] = [resources.use(await startPeer()), resources.use(await startSiteward())];
    Object.assign(setting, { peer, credentials });
  });
  afterAll(() => resources.disposeAsync());
  return setting;
}

async function startEdge(settings: Settings): Promise<Edge> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-edge-"));
  const [LISTEN = "", OPERATE = ""] = [await findFreePort(), await findFreePort()].map((port) => `127.0.0.1:${port}`);
  const own = Object.entries({ COLLECT: "matomo", LISTEN, OPERATE, ...settings });
  const named = own.map(([name, value]) => [name.startsWith("SITEWARD_") ? name : `SITEWARD_EDGE_${name}`, value]);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...Object.fromEntries(named) };
  const running = startProcess([process.execPath, program], { cwd: folder, env });
  const [url, operateUrl] = [`http://${LISTEN}`, `http://${OPERATE}`];
  const read = async (path: string) => (await fetch(operateUrl + path)).text();
  return {
    ...running,
    ...{ url, operateUrl, folder, read },
    send: (sent) => send(url, sent),
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

const usual = {
  host: "stats.example",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "x-forwarded-for": "198.51.100.7",
};

/** Sends a path as it is, also one that clients would normalize, on a connection of its own. */
export async function send(url: string, { method, path, body, headers }: Sent): Promise<Received> {
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
