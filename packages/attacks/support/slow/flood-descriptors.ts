import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readResidentBytes } from "@siteward/testing/process-tree";
import type { TargetServer } from "@siteward/testing/servers/start-server";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { patienceMs } from "../patience.ts";

const connections = 300;
const waveConnections = 20;
const waveMs = 20;
const settleMs = 300;

export interface Flooded {
  /** Connections that the server kept open. */
  readonly accepted: number;
  /** Of ten requests on a connection from before the flood, those that were answered during it. */
  readonly served: number;
  /** Whether a new connection was served after it. */
  readonly isServedAgain: boolean;
  readonly memoryBytes: number;
}

/** Opens more connections than a server has file descriptors, and closes them again. */
export async function floodDescriptors(server: TargetServer, apiKey: string): Promise<Flooded> {
  using old = createHttpClient(server.url, { connections: 1 });
  if (!(await isServed(old, apiKey))) throw new Error("The first connection was not served.");
  const sockets = await openSockets(server.port);
  const accepted = sockets.filter((socket) => !socket.destroyed).length;
  const memoryBytes = readResidentBytes(server.processId);
  let served = 0;
  for (let count = 0; count < 10; count += 1) served += Number(await isServed(old, apiKey));
  for (const socket of sockets) socket.destroy();
  let isServedAgain = false;
  for (const endMs = Date.now() + patienceMs; !isServedAgain && Date.now() < endMs; await sleep(50)) {
    using client = createHttpClient(server.url, { connections: 1 });
    isServedAgain = await isServed(client, apiKey);
  }
  return { accepted, served, isServedAgain, memoryBytes };
}

/** Opens connections in waves. All at once would use up only the first process's descriptors, not those of its workers. */
async function openSockets(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let wave = 0; wave < connections / waveConnections; wave += 1) {
    for (let count = 0; count < waveConnections; count += 1) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket.resume());
    }
    await sleep(waveMs);
  }
  await sleep(settleMs);
  return sockets;
}

async function isServed(client: HttpClient, apiKey: string): Promise<boolean> {
  const sent = client.send("GET", "/api/v1/websites", { apiKey });
  return (await sent.catch(() => undefined))?.status === 200;
}
