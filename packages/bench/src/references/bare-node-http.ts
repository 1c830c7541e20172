import { createServer } from "node:http";
import { announce } from "./announce.ts";
import { openQuery } from "./query.ts";

/** node:http with its defaults and the two queries. */
const query = openQuery(process.argv[2] ?? "");
const prefix = "/api/v1/websites/";
const server = createServer((request, response) => {
  const url = request.url ?? "";
  const answer = url.startsWith(prefix) ? query.getOne(Number(url.slice(prefix.length))) : query.listTen();
  const body = JSON.stringify(answer);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});
announce(server);
