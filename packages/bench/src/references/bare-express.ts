import { createServer } from "node:http";
import express from "express";
import { announce } from "./announce.ts";
import { openQuery } from "./query.ts";

/** Express 5 with its defaults and the two queries: no keys, no log, no security headers, no validation. */
const query = openQuery(process.argv[2] ?? "");
const app = express();
app.get("/api/v1/websites", (_request, response) => {
  response.json(query.listTen());
});
app.get("/api/v1/websites/:id", (request, response) => {
  response.json(query.getOne(Number(request.params.id)));
});
announce(createServer(app));
