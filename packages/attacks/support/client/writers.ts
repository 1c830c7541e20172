import type { Random } from "@siteward/testing/random";
import type { Account } from "@siteward/testing/servers/operate";
import { patienceMs } from "../patience.ts";
import type { ClientLog, Verdict } from "./client-log.ts";
import type { HttpClient } from "./http-client.ts";
import type { RawAnswer } from "./raw-connection.ts";
import { readMember } from "./read-member.ts";

export interface WritersOptions {
  readonly client: HttpClient;
  /** The accounts, which writers use in turn. */
  readonly accounts: readonly Account[];
  readonly writers: number;
  readonly random: Random;
  readonly log: ClientLog;
  /** Part of every domain, so that runs on one database do not share domains. */
  readonly name: string;
  /** A writer ends once this returns true, or if it loses its connection. */
  readonly isDone: () => boolean;
  /** The share of deletes among writes that do not create. Default: 0.3. */
  readonly deleteShare?: number;
}

interface Website {
  readonly domain: string;
  readonly id: number;
}

/** One write. Without an id it creates, without a mark it deletes, otherwise it updates. */
interface Write {
  readonly domain: string;
  readonly mark: string | undefined;
  readonly id: number | undefined;
}

/** Runs writers that create, update and delete websites as fast as they get answers. Each has its own websites. */
export async function runWriters(options: WritersOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.writers }, (_, index) => runWriter(options, index)));
}

async function runWriter(options: WritersOptions, index: number): Promise<void> {
  const { accounts, name, isDone, deleteShare = 0.3 } = options;
  const account = accounts[index % accounts.length];
  if (account === undefined) throw new Error("Writers need an account.");
  const random = options.random.fork(`${name} ${index}`);
  const websites = new Map<string, Website>();
  for (let count = 0; !isDone(); count += 1) {
    const fresh = { domain: `${name}-${index}-${count}.example.com`, mark: `${count}` };
    const write = chooseWrite(random, [...websites.values()], { ...fresh, deleteShare });
    const answer = await send(options, account, write);
    if (answer === undefined) return;
    const verdict = note(options, answer, write);
    // A website whose state is unknown is not written again until the log is checked.
    if (write.mark === undefined || verdict === "unknown") websites.delete(write.domain);
    const created = { accountId: account.id, id: Number(readMember(answer.json, "data", "id")), domain: write.domain };
    if (write.id !== undefined || verdict !== "acknowledged" || Number.isNaN(created.id)) continue;
    options.log.noteCreated(created);
    websites.set(write.domain, created);
  }
}

interface Fresh {
  readonly domain: string;
  readonly mark: string;
  readonly deleteShare: number;
}

function chooseWrite(random: Random, websites: readonly Website[], { domain, mark, deleteShare }: Fresh): Write {
  if (websites.length === 0 || random.chance(0.6)) return { domain, mark, id: undefined };
  const website = random.pick(websites);
  return { domain: website.domain, mark: random.chance(deleteShare) ? undefined : mark, id: website.id };
}

/** Sends a write. Returns undefined if the connection was lost before the answer. */
async function send(options: WritersOptions, account: Account, write: Write): Promise<RawAnswer | undefined> {
  const { client, log } = options;
  const { apiKey } = account;
  const body = { exclude_params: [write.mark] };
  const path = `/api/v1/websites/${write.id}`;
  const answering =
    write.id === undefined
      ? client.send("POST", "/api/v1/websites", { apiKey, body: { domain: write.domain, ...body } })
      : write.mark === undefined
        ? client.send("DELETE", path, { apiKey })
        : client.send("PUT", path, { apiKey, body });
  const answer = await answering.catch(() => undefined);
  if (answer === undefined) log.note(write.domain, write.mark, "unknown");
  return answer;
}

/** Records an answer. These writers send only valid requests, so any answer other than a success and a 503 is a breach. */
function note({ log }: WritersOptions, answer: RawAnswer, write: Write): Verdict {
  const verdict = judgeAnswer(answer);
  log.note(write.domain, write.mark, verdict);
  if (answer.status === 503 && !answer.headers.has("retry-after")) log.noteBreach("A 503 did not say when to retry.");
  if (answer.status >= 300 && answer.status !== 503)
    log.noteBreach(`A write was answered with ${answer.status} ${readMember(answer.json, "code")}`);
  return verdict;
}

/** Judges an answer as docs/api.md promises. If the connection is lost before the answer, the outcome is unknown too. */
function judgeAnswer({ status, json }: RawAnswer): Verdict {
  if (status < 300) return "acknowledged";
  if (status >= 400 && status < 500) return "refused";
  return status === 503 && readMember(json, "outcome") !== "unknown" ? "refused" : "unknown";
}

/** Writes until a write is acknowledged. Returns after how many milliseconds, or undefined if none was in time. */
export async function writesAgain(options: Omit<WritersOptions, "writers" | "isDone">): Promise<number | undefined> {
  const { counts } = options.log;
  const { acknowledged } = counts;
  const startedAtMs = performance.now();
  const isWell = () => counts.acknowledged > acknowledged;
  const isLate = () => performance.now() - startedAtMs > patienceMs;
  await runWriters({ ...options, writers: 1, isDone: () => isWell() || isLate() });
  return isWell() ? performance.now() - startedAtMs : undefined;
}
