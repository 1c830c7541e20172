import { createServer } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type Listening, listen } from "@siteward/testing/listen";

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** What a server does to its callers. */
export interface Behavior {
  readonly onConnection?: (socket: Socket) => void;
  /** Called with each complete request. */
  readonly onRequest?: (socket: Socket, request: SeenRequest) => void;
}

/** Starts a server that reads requests and does what the behavior says, which need not be HTTP. Nothing answers them but that. */
export function startHostileServer({ onConnection = () => {}, onRequest }: Behavior): Promise<Listening> {
  const server = createServer(async (incoming) => {
    const { method = "", url: path = "", socket } = incoming;
    await text(incoming);
    onRequest?.(socket, { method, path });
  });
  return listen(server.on("connection", onConnection));
}
