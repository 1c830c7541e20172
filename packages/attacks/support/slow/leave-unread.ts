import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TargetServer } from "@siteward/testing/servers/start-server";
import { watchMemory } from "../watch-memory.ts";

export interface UnreadRequests {
  /** What each connection sends. */
  readonly requests: readonly string[];
  /** The time between two connections. */
  readonly pauseMs: number;
}

/** How long the clients stay. By then the server has read all that it will read. */
const stayMs = 1_000;

/** Sends requests over connections that read nothing. Returns the most memory that the server used. */
export async function leaveUnread(server: TargetServer, { requests, pauseMs }: UnreadRequests): Promise<number> {
  const memory = watchMemory(server.processId);
  const sockets: Socket[] = [];
  for (const bytes of requests) {
    sockets.push(openGreedySocket(server.port, bytes));
    if (pauseMs > 0) await sleep(pauseMs);
  }
  await sleep(stayMs);
  for (const socket of sockets) socket.destroy();
  return memory.stop();
}

function openGreedySocket(port: number, bytes: string): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}).pause();
  socket.write(bytes, "latin1");
  return socket;
}
