import { once } from "node:events";
import type { Server } from "node:net";

/** Listens on a free loopback port. Returns the URL of the database with the address of the server instead of its own. */
export async function listenInFrontOf(databaseUrl: string, server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has an address.");
  return Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href;
}
