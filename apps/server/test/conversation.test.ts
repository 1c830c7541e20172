import { describe, expect, test } from "vitest";
import { conversation, type RecordedRequest } from "./support/conversation.ts";
import { engines } from "./support/engines.ts";
import type { TestEngine } from "./support/test-database.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const publicUrl = "https://siteward.example";

describe("the recorded conversation", () => {
  test("gets byte-equal answers on every engine: status, headers and body, without times", async () => {
    const [first, ...others] = await Promise.all(Object.values<TestEngine>(engines).map(play));
    expect(first?.length).toBeGreaterThan(600);
    expect(new Set(first?.map(({ status }) => status))).toEqual(
      new Set([200, 201, 204, 400, 401, 404, 405, 409, 415, 422]),
    );
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });
});

/** The entity tag of an account, which follows from its times and the prefix of the key. It is quoted as JSON. */
const accountTag = /W\/\\"[\w-]{22}\\"/g;

interface RecordedAnswer {
  readonly request: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

async function play(engine: TestEngine): Promise<RecordedAnswer[]> {
  await using server = await startTestServer(engine, { publicUrl });
  const answers: RecordedAnswer[] = [];
  for (const request of conversation) {
    if (request.method === "FOLLOW") await follow(server, request, answers);
    else answers.push(await ask(server, request, answers.length));
  }
  return answers;
}

async function follow(server: TestServer, { path }: RecordedRequest, answers: RecordedAnswer[]): Promise<void> {
  for (let next: string | null = path; next !== null; ) {
    const answer = await ask(server, { method: "GET", path: next }, answers.length);
    answers.push(answer);
    next = JSON.parse(answer.body).links.next?.replace(publicUrl, "") ?? null;
  }
}

async function ask(
  server: TestServer,
  { method, path, options }: RecordedRequest,
  index: number,
): Promise<RecordedAnswer> {
  const headers = { ...options?.headers, "X-Request-Id": `request-${index}` };
  const answer = await server.call(method, path, { ...options, headers });
  return {
    request: `${method} ${path}`,
    status: answer.status,
    headers: JSON.stringify([...answer.headers].filter(([name]) => name !== "date")).replaceAll(accountTag, "tag"),
    body: answer.text.replaceAll(/"swk_\w+"/g, '"prefix"').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"),
  };
}
