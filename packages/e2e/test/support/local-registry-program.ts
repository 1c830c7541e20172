import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runServer } from "verdaccio";

/**
 * Runs a package registry for the scope `@siteward` on a free port of this machine, with its storage in the given folder. Prints
 * its URL, and ends with its standard input, so that it never survives the tests.
 */
const [folder = "."] = process.argv.slice(2);
const server: Server = await runServer({
  self_path: folder,
  configPath: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "htpasswd") } },
  packages: { "@siteward/*": { access: "$all", publish: "$all", unpublish: "$all" } },
  log: { type: "stdout", level: "fatal", format: "json" },
  web: { enable: false },
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
// A server that listens on a port has an address with that port.
const { port } = server.address() as AddressInfo;
console.log(`http://127.0.0.1:${port}/`);
process.stdin.once("end", () => process.exit()).resume();
