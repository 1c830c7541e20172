import type { AddressInfo } from "node:net";
import express from "express";
import { openPostgresWebsites } from "./postgres-websites.ts";
import { openSqliteWebsites } from "./sqlite-websites.ts";

/** Express 5 with its defaults and the queries: no keys, no log, no security headers, no validation. */
const { DATABASE_URL: url = "" } = process.env;
const websites = url.startsWith("postgres:")
  ? openPostgresWebsites(url)
  : openSqliteWebsites(url.slice("file:".length));
const app = express();
app.get("/api/v1/websites", async ({ query: { search } }, response) => {
  response.json(typeof search === "string" ? await websites.search(search) : await websites.listTen());
});
app.get("/api/v1/websites/:id", async ({ params }, response) => {
  response.json(await websites.getOne(Number(params.id)));
});
app.post("/api/v1/websites", express.json(), async ({ body }, response) => {
  response.status(201).json(await websites.create(body));
});
app.put("/api/v1/websites/:id", express.json(), async ({ body, params }, response) => {
  // The types lose the names of the parameters if a route has more than one handler.
  response.json(await websites.update(Number(params["id"]), body));
});
const server = app.listen(0, "127.0.0.1", () => {
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  // As the server prints it, for the process that started this one.
  process.stdout.write(`Reference is listening on http://127.0.0.1:${port}\n`);
});
