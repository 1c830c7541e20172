import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listenForScrapes } from "./metrics-listener.ts";

const request = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";

test("a client that sends requests before it has an answer loses its connection, and others are answered", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  await using server = await listenForScrapes(
    { host: "127.0.0.1", port: 0 },
    () => promise,
    () => undefined,
  );
  const greedy = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
  greedy.write(request.repeat(1_000));
  await once(greedy.resume(), "close");
  const patient = connect(Number(new URL(server.url).port), "127.0.0.1");
  patient.write(request);
  setTimeout(resolve, 50, "siteward_workers 1\n");
  await once(patient, "readable");
  // One after another may use the same connection.
  patient.write(request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  expect((await buffer(patient)).toString().match(/siteward_workers 1\n/g)).toHaveLength(2);
});
