import { connect, type Socket } from "node:net";
import type { SlowKind } from "./slow-kinds.ts";

/** A slow client that is connected. */
export interface SlowClient {
  readonly name: string;
  readonly kind: SlowKind;
  /** The local port, which identifies the client. */
  readonly port: number;
  /** Whether the socket is open. Once it is closed, the system can use the port for another one. */
  readonly isOpen: () => boolean;
  /** Called once a second. */
  readonly tick: () => void;
  readonly end: () => void;
}

export async function openSlowClient(
  name: string,
  kind: SlowKind,
  target: { readonly port: number; readonly apiKey: string },
): Promise<SlowClient> {
  // A slow client keeps its own side open when the server ends the connection.
  const socket = connect({ port: target.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  if (kind.readsBytes === undefined) socket.resume();
  else socket.pause();
  await waitForConnection(socket);
  const port = socket.localPort ?? 0;
  if (kind.first !== "") socket.write(kind.first.replaceAll("{key}", target.apiKey), "latin1");
  const tick = () => {
    if (kind.drip !== undefined && socket.writable) socket.write(kind.drip, "latin1");
    if (kind.readsBytes !== undefined && kind.readsBytes > 0) socket.read(kind.readsBytes);
  };
  return { name, kind, port, isOpen: () => !socket.destroyed, tick, end: () => void socket.destroy() };
}

function waitForConnection(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", () => resolve());
  });
}
