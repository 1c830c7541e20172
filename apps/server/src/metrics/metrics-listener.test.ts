import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listenForScrapes } from "./metrics-listener.ts";

const request = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";

test("a client that sends requests before it has an answer loses its connection, and others are answered", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { url, close } = await listenForScrapes(
    { host: "127.0.0.1", port: 0 },
    () => promise,
    () => undefined,
  );
  const greedy = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  greedy.write(request.repeat(1_000));
  await once(greedy.resume(), "close");
  const patient = connect(Number(new URL(url).port), "127.0.0.1");
  patient.write(request);
  setTimeout(resolve, 50, "siteward_workers 1\n");
  await once(patient, "readable");
  // One after another may use the same connection.
  patient.write(request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  expect((await buffer(patient)).toString().match(/siteward_workers 1\n/g)).toHaveLength(2);
  await close();
});

test("a scrape that fails is answered with 500 without the reason, which the caller gets once", async () => {
  const failures: unknown[] = [];
  const { url, close } = await listenForScrapes(
    { host: "127.0.0.1", port: 0 },
    () => Promise.reject(new Error("a secret reason")),
    (error) => failures.push(error),
  );
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([500, "The metrics could not be read.\n"]);
  expect(failures).toEqual([new Error("a secret reason")]);
  await close();
});
