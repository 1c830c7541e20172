import { createServer } from "node:http";

/** A small server without limits. Each row that checks a limit must report it. */
const answerBytes = 60_000;
const largeBodyBytes = 30_000;
const blockMs = 40;

const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.once("end", () => {
    if (bytes > largeBodyBytes) block();
    response.end(request.url === "/healthz" ? "{}" : Buffer.alloc(answerBytes, "a"));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});

/** Blocks the event loop like a long validation, which also has to wait for a core. */
function block(): void {
  const start = process.cpuUsage();
  for (let workedMs = 0; workedMs < blockMs; ) {
    const { user, system } = process.cpuUsage(start);
    workedMs = (user + system) / 1_000;
  }
}
