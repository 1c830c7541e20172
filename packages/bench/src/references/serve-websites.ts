import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, type Websites, whenKnown } from "./websites.ts";

const path = "/api/v1/websites";
const searchStart = `${path}?search=`;

/** Creates a node:http server with its defaults: no router, no keys, no log, no security headers, no validation. */
export function serveWebsites(websites: Websites): Server {
  return createServer((request, response) => {
    const { method, url = "" } = request;
    if (method === "GET") return whenKnown(read(websites, url), send(response, 200));
    readBody(request, (text) => {
      const body = JSON.parse(text);
      if (method === "POST") whenKnown(websites.create(body), send(response, 201));
      else whenKnown(websites.update(readId(url), body), send(response, 200));
    });
  });
}

function read(websites: Websites, url: string): Answer {
  if (url === path) return websites.listTen();
  if (url.startsWith(searchStart)) return websites.search(decodeURIComponent(url.slice(searchStart.length)));
  return websites.getOne(readId(url));
}

function readId(url: string): number {
  return Number(url.slice(path.length + 1));
}

function readBody(request: IncomingMessage, use: (text: string) => void): void {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    text += chunk;
  });
  request.on("end", () => use(text));
}

function send(response: ServerResponse, status: number): (body: object | undefined) => void {
  return (body) => {
    if (body === undefined) return void response.writeHead(404, { "content-length": 0 }).end();
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
  };
}
