import { createServer } from "node:http";
import type { RecordedAnswer } from "../sdk/record-answers.ts";
import { announce } from "./announce.ts";

/** node:http that answers each request with the bytes that the server once sent for such a request. */
// The argument is what `record-answers.ts` encodes.
const recorded = JSON.parse(process.argv[2] ?? "") as readonly RecordedAnswer[];
const answers = recorded.map(({ body, ...answer }) => ({ ...answer, body: Buffer.from(body, "base64") }));

announce(
  createServer((request, response) => {
    const { method, url = "" } = request;
    const answer = answers.find((known) => known.method === method && known.hasQuery === url.includes("?"));
    // The body of a request is read before the answer, as the server does.
    request.on("end", () => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body)).resume();
  }),
);
