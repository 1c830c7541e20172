import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { openConnection, readAnswers } from "@siteward/testing/raw-connection";
import { expect } from "vitest";
import { accountPath, Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const form = "Content-Type: application/x-www-form-urlencoded";
const malformed = [400, "malformed_request"];

export const connections: Guarantees = {
  "the requests of one connection each act for the key that they send": async (caller, service) => {
    const other = new Caller(service);
    const keys = [caller.key, caller.key, other.key, "swk_wrong", caller.key];
    const requests = keys.map((key) => head(`GET ${accountPath}`, bearer(key)));
    const answers = await send(caller, requests.join("") + head(`GET ${accountPath}`, "Connection: close"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 200, 401]);
    const prefixes = answers.map(({ text }) => JSON.parse(text).data?.api_key.prefix);
    const [own, others] = [caller.key.slice(0, 12), other.key.slice(0, 12)];
    expect(prefixes).toEqual([own, own, others, undefined, own, undefined]);
  },
  "a valid Host stands in the links": async (caller) => {
    for (const host of [
      "example.com",
      "example.com:8080",
      "EXAMPLE.com",
      "a_b-c.internal",
      "127.0.0.1:80",
      "[::1]:3000",
      "a:",
    ]) {
      const bytes = `GET ${websites} HTTP/1.1\r\nHost: ${host}\r\n${bearer(caller.key)}\r\nConnection: close\r\n\r\n`;
      const [answer] = await send(caller, bytes);
      expect(answer?.page.links.first).toBe(`http://${host}${websites}`);
    }
  },
  "a URL with a letter beyond ASCII or a control character gets a 400 that says how to send it": async (caller) => {
    for (const target of [`${websites}?search=b\u00fc`, `${websites}/\u00fc`, `${websites}?search=a\u0001`]) {
      const [answer] = await send(caller, head(`GET ${target}`, bearer(caller.key)));
      expect(answer?.refusal).toEqual(malformed);
      expect(answer?.problem.detail).toContain(
        "Percent-encode all characters but visible ASCII, such as `ü` as `%C3%BC`.",
      );
    }
  },
  "two Idempotency-Key headers get a 400, even if they are equal or empty, and nothing is created": async (caller) => {
    for (const keys of [
      ["a", "b"],
      ["a", "a"],
      ["a", ""],
      ["", ""],
    ]) {
      const repeated = keys.map((key) => `Idempotency-Key: ${key}`);
      const [answer] = await send(caller, create(caller, "domain=a.example", ...repeated, "Connection: close"));
      expect([keys, answer?.refusal]).toEqual([keys, malformed]);
    }
    expect(await caller.count()).toBe(0);
  },
  "a request that is broken is refused after the requests before it are answered": async (caller) => {
    const good = head(`GET ${accountPath}`, bearer(caller.key));
    const broken = `${head(`POST ${websites}`, bearer(caller.key), form, "Transfer-Encoding: chunked")}zz\r\n`;
    expect((await send(caller, good + good + broken)).map(({ status }) => status)).toEqual([200, 200, 400]);
    const socket = await openConnection(caller.account.baseUrl);
    socket.write(head("GET /healthz"));
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const second = readAnswers(socket);
    socket.write("garbage\r\n\r\n");
    expect((await second).map(({ refusal }) => refusal)).toEqual([malformed]);
  },
  "a body that turns out broken after its request was refused gets no second answer": async (caller) => {
    const socket = await openConnection(caller.account.baseUrl);
    const answers = readAnswers(socket);
    socket.write(head(`POST ${websites}`, form, "Transfer-Encoding: chunked"));
    await sleep(100);
    socket.write("zz\r\n");
    expect((await answers).map(({ refusal }) => refusal)).toEqual([[401, "unauthenticated"]]);
  },
  "a delete whose body is broken deletes nothing": async (caller) => {
    await caller.createAll(["example.com"]);
    for (const rest of ["Transfer-Encoding: chunked\r\n\r\nzz\r\n", "Content-Length: 5\r\n\r\nab"]) {
      const socket = await openConnection(caller.account.baseUrl);
      const answers = readAnswers(socket);
      socket.end(`DELETE ${websites}/1 HTTP/1.1\r\nHost: a\r\n${bearer(caller.key)}\r\n${rest}`);
      expect((await answers).map(({ refusal }) => refusal)).toEqual([malformed]);
    }
    expect((await caller.get(`${websites}/1`)).status).toBe(200);
  },
};

/** Sends these characters, one byte each, and returns the answers until the server closes the connection. */
async function send(caller: Caller, bytes: string): Promise<Answer[]> {
  // The key may not be written yet, and these bytes do not pass through the account's fetch.
  await caller.get(accountPath);
  const socket = await openConnection(caller.account.baseUrl);
  const answers = readAnswers(socket);
  socket.write(Buffer.from(bytes, "latin1"));
  return answers;
}

function head(methodAndPath: string, ...headers: string[]): string {
  return [`${methodAndPath} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
}

function create(caller: Caller, body: string, ...headers: string[]): string {
  return head(`POST ${websites}`, bearer(caller.key), form, `Content-Length: ${body.length}`, ...headers) + body;
}

function bearer(key: string): string {
  return `Authorization: Bearer ${key}`;
}
