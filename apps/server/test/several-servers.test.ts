import { Answer } from "@siteward/testing/answer";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { runProgram, startProgram } from "./support/run-program.ts";
import type { TestEngine } from "./support/test-database.ts";

const limit = 100;

describeOnEveryEngine("four servers on one database", (engine) => {
  test("assign ids from 1 without gap or repeat, in order of time, count exactly and never exceed the limit", async () => {
    await using servers = await startServers(engine, 4);
    const created: { id: number; created_at: string }[] = [];
    const refused = new Map<number, number>();
    // Eight clients send 160 creates. All of them request the same 10 domains.
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 20; turn += 1) {
        const domain = turn % 2 === 0 ? `shared-${turn}.example` : `client-${client}-${turn}.example`;
        const answer = await servers.call(client + turn, "POST", "/api/v1/websites", JSON.stringify({ domain }));
        if (answer.status === 201) created.push(answer.website);
        else refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1);
      }
    });
    await Promise.all(clients);
    const inOrder = created.toSorted((left, right) => left.id - right.id);
    expect(inOrder.map(({ id }) => id)).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
    const times = inOrder.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
    expect(refused).toEqual(new Map([[409, 70]]));

    const more = Array.from({ length: 40 }, (_, index) =>
      servers.call(index, "POST", "/api/v1/websites", JSON.stringify({ domain: `more-${index}.example` })),
    );
    const statuses = (await Promise.all(more)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(30).fill(403)]);
    expect((await servers.call(0, "GET", "/api/v1/account")).account.websites).toEqual({ count: limit, limit });
    expect(await servers.findFaults()).toEqual([]);
  });
});

async function startServers(engine: TestEngine, count: number) {
  const database = await engine();
  const environment = { DATABASE_URL: database.databaseUrl };
  const operate = async (...words: string[]) =>
    JSON.parse((await runProgram([...words, "--json"], environment)).stdout);
  await operate("accounts", "create", "--name", "Test", "--email", "t@example.com", "--website-limit", String(limit));
  const { key } = await operate("keys", "create", "--account", "1", "--name", "test");
  const programs = Array.from({ length: count }, () => startProgram(["start", "--port", "0", "--json"], environment));
  const printed = await Promise.all(programs.map((program) => program.printed("\n")));
  const urls = printed.map((line): string => JSON.parse(line).url);
  return {
    findFaults: () => database.findFaults(),
    async call(turn: number, method: string, path: string, body?: string): Promise<Answer> {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      return Answer.read(await fetch(`${urls[turn % count]}${path}`, init));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()));
      await database[Symbol.asyncDispose]();
    },
  };
}
