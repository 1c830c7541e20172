import { Agent, createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy of node:http alone: it sends every request and every answer on as they are. */
const { PEER: peer = "" } = process.env;
const { hostname: host, port } = new URL(peer);
const agent = new Agent({ keepAlive: true });
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const sent = open({ host, port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => response.destroy());
  request.pipe(sent);
});
server.listen(0, "127.0.0.1", 4096, () => {
  // A server that listens on a TCP port has an AddressInfo.
  const { port: own } = server.address() as AddressInfo;
  process.stderr.write(`${JSON.stringify({ on: `127.0.0.1:${own}`, msg: "listening" })}\n`);
});
