import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free loopback port, and prints the URL in the same way as the server, for the process that started this one. */
export function announce(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    // A server that listens on a TCP port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`Reference is listening on http://127.0.0.1:${port}\n`);
  });
}
