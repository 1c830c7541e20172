import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free loopback port and prints the address as the service does, for whoever started this process. */
export function announce(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    // A server that listens on a TCP port has an address of this kind.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`Reference is listening on http://127.0.0.1:${port}\n`);
  });
}
