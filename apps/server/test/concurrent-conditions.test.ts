import { expect, test } from "vitest";
import { hashPassword } from "../src/auth/hash-password.ts";
import { PasswordQueue } from "../src/auth/password-queue.ts";
import { describeOnEveryEngine } from "./support/engines.ts";
import type { TestEngine } from "./support/test-database.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const path = `${websites}/1`;
const ifMatch = { "If-Match": '"1-1-1"' };

describeOnEveryEngine("requests with the same If-Match", (engine) => {
  test("of 50 simultaneous updates in two servers on one database, one is done, and the others get a 412 with its tag", async () => {
    await using servers = await startTwoServers(engine);
    const answers = await servers.callBoth(50, "PUT", (index) => ({ json: { exclude_params: `from-${index}` } }));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.map(({ etag }) => etag)).toEqual(['"1-1-2"']);
    for (const answer of answers) {
      if (answer === done[0]) continue;
      expect(answer.refusal).toEqual([412, "precondition_failed"]);
      expect(answer.etag).toBe('"1-1-2"');
    }
    const read = await servers.first.call("GET", path);
    expect([read.text, read.etag]).toEqual([done[0]?.text, '"1-1-2"']);
  });

  test("of 50 simultaneous deletes in two servers on one database, one is done, and the others get a 404", async () => {
    await using servers = await startTwoServers(engine);
    const answers = await servers.callBoth(50, "DELETE", () => ({}));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(49).fill(404)]);
    expect((await servers.first.call("GET", "/api/v1/account")).account.websites.count).toBe(0);
  });

  test("of simultaneous updates and deletes in two servers on one database, exactly one is done", async () => {
    for (let round = 0; round < 5; round += 1) {
      await using servers = await startTwoServers(engine);
      const updates = servers.callBoth(4, "PUT", () => ({ json: { email: 1 } }));
      const deletes = servers.callBoth(4, "DELETE", () => ({}));
      const statuses = (await Promise.all([updates, deletes])).flat().map(({ status }) => status);
      expect(statuses.filter((status) => status < 400)).toHaveLength(1);
      expect(statuses.every((status) => [200, 204, 404, 412].includes(status))).toBe(true);
    }
  });
});

describeOnEveryEngine("the password of an update with If-Match", (engine) => {
  test("is not hashed if the record has changed before", async () => {
    const { passwords, hashed, open } = createHeldQueue();
    open();
    await using server = await startWithWebsite(engine, passwords);
    await server.call("PUT", path, { json: { email: 1 } });
    const answer = await setPassword(server);
    expect([...answer.refusal, answer.etag]).toEqual([412, "precondition_failed", '"1-1-2"']);
    expect(hashed).toEqual([]);
  });

  test("is not stored if the record changes while it is hashed", async () => {
    const { passwords, hashed, open } = createHeldQueue();
    await using server = await startWithWebsite(engine, passwords);
    const waiting = setPassword(server);
    await expect.poll(() => hashed).toEqual(["correct horse"]);
    await server.call("PUT", path, { json: { email: 1 } });
    open();
    const answer = await waiting;
    expect([...answer.refusal, answer.etag]).toEqual([412, "precondition_failed", '"1-1-2"']);
    expect((await server.call("GET", path)).website).toMatchObject({ email: 1, privacy: 0, has_password: false });
  });
});

function setPassword(server: TestServer) {
  return server.call("PUT", path, { json: { privacy: 2, password: "correct horse" }, headers: ifMatch });
}

/** A queue whose hashes wait until it is opened, and the passwords that it was given. */
function createHeldQueue() {
  const hashed: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const passwords = new PasswordQueue(
    async (password) => {
      hashed.push(password);
      await opened;
      return hashPassword(password);
    },
    { maxRunning: 1, maxWaiting: 10, maxWaitingPerKey: 10, maxWaitMs: 60_000 },
  );
  return { passwords, hashed, open };
}

async function startWithWebsite(engine: TestEngine, passwords?: PasswordQueue): Promise<TestServer> {
  const server = await startTestServer(engine, passwords === undefined ? {} : { passwords });
  await server.call("POST", websites, { json: { domain: "example.com" } });
  return server;
}

/** Each has its own storage, as in processes of their own, so their requests do not take turns. */
async function startTwoServers(engine: TestEngine) {
  const database = await engine();
  const shared: TestEngine = async () => ({ ...database, [Symbol.asyncDispose]: async () => undefined });
  const [first, second] = [await startWithWebsite(shared), await startTestServer(shared)];
  return {
    first,
    callBoth: (count: number, method: string, options: (index: number) => object) => {
      const call = (index: number) =>
        (index % 2 === 0 ? first : second).call(method, path, { ...options(index), headers: ifMatch, key: first.key });
      return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
    },
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
