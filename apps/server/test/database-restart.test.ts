import { setTimeout as sleep } from "node:timers/promises";
import { Answer } from "@siteward/testing/answer";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";
import { expect, test } from "vitest";
import { startProgram } from "./support/run-program.ts";

const writers = 8;
const loadMs = 700;
const downMs = 500;
/** Longer than any timeout of the server, so only a hang takes longer. */
const patienceMs = 20_000;

test("if the database is stopped and started five times under load, nothing is lost or written twice, and the server recovers without help", async () => {
  await using cluster = await startPostgresCluster();
  const databaseUrl = cluster.urlOf("postgres");
  await using program = startProgram(["start", "--port", "0", "--bootstrap", "--json"], {
    DATABASE_URL: databaseUrl,
    SITEWARD_RATE_LIMIT: "0",
  });
  const { url, key } = JSON.parse(await program.printed("\n"));
  const load = new Load(url, key);
  const writing = Array.from({ length: writers }, (_, writer) => load.write(writer));
  const reading = load.read();
  for (const mode of ["fast", "immediate", "fast", "immediate", "immediate"] as const) {
    await sleep(loadMs);
    await cluster.stop(mode);
    await sleep(downMs);
    await cluster.start();
    await load.succeedsAgain();
  }
  await sleep(loadMs);
  load.stop();
  await Promise.all([...writing, reading]);

  const stored = await readStored(databaseUrl);
  process.stdout.write(`five restarts: ${JSON.stringify({ ...load.counts, stored: stored.length })}\n`);
  expect(load.violations).toEqual([]);
  expect(load.counts["503"]).toBeGreaterThan(0);
  const storedDomains = stored.map(({ domain }) => domain);
  expect(storedDomains).toEqual(expect.arrayContaining([...load.acknowledged.keys()]));
  for (const { id, domain } of stored) expect([id, undefined]).toContain(load.acknowledged.get(domain));
  expect(new Set(storedDomains).size).toBe(stored.length);
  expect(stored.map(({ id }) => id)).toEqual(stored.map((_, index) => index + 1));
  const account = await Answer.read(
    await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${key}` } }),
  );
  expect(JSON.parse(account.text).data.websites.count).toBe(stored.length);
  program.signal("SIGTERM");
  expect((await program.ended).exitCode).toBe(0);
});

/** Clients that retry each website until it exists, and note what contradicts an earlier answer. */
class Load {
  /** Ids of the websites that were answered with 201, or that existed after an answer with an unknown outcome. */
  readonly acknowledged = new Map<string, number>();
  readonly counts: Record<string, number> = {};
  readonly violations: unknown[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #isStopped = false;

  constructor(url: string, key: string) {
    this.#url = `${url}/api/v1/websites`;
    this.#headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  }

  async write(writer: number): Promise<void> {
    for (let index = 0; !this.#isStopped; index += 1)
      await this.#createWebsite(`site-${index}.writer-${writer}.example`);
  }

  async read(): Promise<void> {
    while (!this.#isStopped) {
      const answer = await this.#send("GET");
      if (answer !== undefined && answer.status !== 200) this.#expectRefusal("GET", answer);
      await sleep(5);
    }
  }

  async succeedsAgain(): Promise<void> {
    const before = this.acknowledged.size;
    const deadline = performance.now() + patienceMs;
    while (this.acknowledged.size <= before) {
      if (performance.now() > deadline) throw new Error("Nothing was written after the database was back.");
      await sleep(10);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** A website may exist already only if an answer said that it may. */
  async #createWebsite(domain: string): Promise<void> {
    let mayBeThere = false;
    for (;;) {
      const answer = await this.#send("POST", JSON.stringify({ domain }));
      if (answer === undefined) return;
      if (answer.status === 201) this.acknowledged.set(domain, JSON.parse(answer.text).data.id);
      if (answer.status === 201) return;
      if (answer.status === 409 && mayBeThere) {
        this.acknowledged.set(domain, Number(answer.problem.website_id));
        return;
      }
      this.#expectRefusal(domain, answer);
      mayBeThere ||= answer.problem.outcome === "unknown";
      if (this.#isStopped) return;
      await sleep(20);
    }
  }

  async #send(method: string, body?: string): Promise<Answer | undefined> {
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const init = { method, headers: this.#headers, signal, ...(body === undefined ? {} : { body }) };
      const answer = await Answer.read(await fetch(this.#url, init));
      const name =
        answer.status === 503 && answer.problem.outcome === "unknown" ? "503 unknown" : String(answer.status);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      return answer;
    } catch (error) {
      this.violations.push(error);
      return undefined;
    }
  }

  #expectRefusal(what: string, answer: Answer): void {
    const isRefusal = answer.status === 503 && answer.header("Retry-After") === "1";
    if (!isRefusal) this.violations.push({ what, status: answer.status, text: answer.text });
  }
}

async function readStored(databaseUrl: string): Promise<{ id: number; domain: string }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("select id::int, domain from websites order by id");
  await client.end();
  return rows;
}
