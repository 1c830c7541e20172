import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TargetServer } from "@siteward/testing/servers/start-server";
import { type Probed, startProbe } from "../client/probe.ts";
import { waitForMemory, watchMemory } from "../watch-memory.ts";

export interface UnreadRequests {
  /** What each connection sends. */
  readonly requests: readonly string[];
  /** The time between two connections. */
  readonly pauseMs: number;
}

export interface Unread {
  readonly peakBytes: number;
  readonly probed: Probed;
  /** When the memory was freed; undefined if it was not. */
  readonly freedMs: number | undefined;
}

/** How long the clients stay. By then the server has read all that it will read. */
const stayMs = 1_000;
/** An idle process collects its last garbage late: once, it still had more than 200 MB after 30 s. */
const freed = { bytes: 250e6, timeoutMs: 30_000 };

/** Sends requests over connections that read nothing. */
export async function leaveUnread(server: TargetServer, { requests, pauseMs }: UnreadRequests): Promise<Unread> {
  const processIds = () => [server.processId];
  const memory = watchMemory(processIds);
  const probe = startProbe(server.url, { path: "/healthz" });
  const sockets: Socket[] = [];
  for (const bytes of requests) {
    sockets.push(openGreedySocket(server.port, bytes));
    if (pauseMs > 0) await sleep(pauseMs);
  }
  await sleep(stayMs);
  const probed = await probe.stop();
  for (const socket of sockets) socket.destroy();
  const peakBytes = memory.stop();
  return { peakBytes, probed, freedMs: await waitForMemory(processIds, freed) };
}

function openGreedySocket(port: number, bytes: string): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}).pause();
  socket.write(bytes, "latin1");
  return socket;
}
