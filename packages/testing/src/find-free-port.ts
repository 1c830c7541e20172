import { once } from "node:events";
import { createServer } from "node:net";

/** Returns a port that is free now, for a program that cannot say which one the system chose for it. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("The TCP server has no address.");
  return address.port;
}
