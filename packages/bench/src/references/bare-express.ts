import { createServer } from "node:http";
import express, { type Response } from "express";
import { announce } from "./announce.ts";
import { openWebsites } from "./open-websites.ts";
import { whenKnown } from "./websites.ts";

/** Express 5 with its defaults and the queries: no keys, no log, no security headers, no validation. */
const websites = await openWebsites(process.argv[2] ?? "");
const app = express();
app.get("/api/v1/websites", ({ query }, response) => {
  const { search } = query;
  whenKnown(typeof search === "string" ? websites.search(search) : websites.listTen(), send(response, 200));
});
app.get("/api/v1/websites/:id", ({ params }, response) => {
  whenKnown(websites.getOne(Number(params.id)), send(response, 200));
});
app.post("/api/v1/websites", express.json(), ({ body }, response) => {
  whenKnown(websites.create(body), send(response, 201));
});
app.put("/api/v1/websites/:id", express.json(), ({ body, params }, response) => {
  // The types lose the names of the parameters if a route has more than one handler.
  whenKnown(websites.update(Number(params["id"]), body), send(response, 200));
});
announce(createServer(app));

function send(response: Response, status: number): (body: object | undefined) => void {
  return (body) => {
    if (body === undefined) response.status(404).end();
    else response.status(status).json(body);
  };
}
