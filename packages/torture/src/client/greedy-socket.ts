import { connect, type Socket } from "node:net";

/** Opens a connection, sends bytes, and never reads. */
export function openGreedySocket(port: number, bytes: string): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}).pause();
  socket.write(bytes, "latin1");
  return socket;
}
