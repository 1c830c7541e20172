import type { Random } from "../random.ts";
import type { Account } from "../row.ts";
import type { ClientLog } from "./client-log.ts";
import type { HttpAnswer, HttpClient } from "./http-client.ts";
import { judgeAnswer, type Verdict } from "./judge-answer.ts";

export interface WritersOptions {
  readonly client: HttpClient;
  /** Writers take turns at the accounts. */
  readonly accounts: readonly Account[];
  readonly writers: number;
  readonly random: Random;
  readonly log: ClientLog;
  /** Stands in every domain, so that runs on one database do not meet. */
  readonly name: string;
  /** A writer ends once this is true, or it has lost its connection. */
  readonly isDone: () => boolean;
  /** Called with each answer, when it came. */
  readonly onAnswer?: (answer: HttpAnswer, domain: string) => void;
}

interface Website {
  readonly domain: string;
  readonly id: number;
}

/** One write: without an id it creates, without a mark it deletes, and otherwise it updates. */
interface Write {
  readonly domain: string;
  readonly mark: string | undefined;
  readonly id: number | undefined;
}

/** Writers that create, update and delete websites, each its own, as fast as they are answered. */
export async function runWriters(options: WritersOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.writers }, (_, index) => runWriter(options, index)));
}

async function runWriter(options: WritersOptions, index: number): Promise<void> {
  const { accounts, name, isDone } = options;
  const account = accounts[index % accounts.length];
  if (account === undefined) throw new Error("Writers need an account.");
  const random = options.random.fork(`${name} ${index}`);
  const websites = new Map<string, Website>();
  for (let count = 0; !isDone(); count += 1) {
    const write = chooseWrite(random, [...websites.values()], {
      domain: `${name}-${index}-${count}`,
      mark: `${count}`,
    });
    const answer = await send(options, account, write);
    if (answer === undefined) return;
    const verdict = note(options, answer, write);
    // What is not known to be there, or to be gone, is left alone until the log is checked.
    if (write.mark === undefined || verdict === "unknown") websites.delete(write.domain);
    if (write.id !== undefined || verdict !== "acknowledged") continue;
    const created = { accountId: account.id, id: readId(answer), domain: write.domain };
    options.log.noteCreated(created);
    websites.set(write.domain, created);
  }
}

function chooseWrite(random: Random, websites: readonly Website[], fresh: { domain: string; mark: string }): Write {
  if (websites.length === 0 || random.chance(0.6)) {
    return { domain: `${fresh.domain}.example.com`, mark: fresh.mark, id: undefined };
  }
  const { domain, id } = random.pick(websites);
  return { domain, mark: random.chance(0.3) ? undefined : fresh.mark, id };
}

/** Undefined where the connection was lost before the answer was there. */
async function send(options: WritersOptions, account: Account, write: Write): Promise<HttpAnswer | undefined> {
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

/** Nothing that these writers send is wrong: all but a success and a 503 is a breach. */
function note({ log, onAnswer }: WritersOptions, answer: HttpAnswer, write: Write): Verdict {
  const verdict = judgeAnswer(answer);
  log.note(write.domain, write.mark, verdict);
  onAnswer?.(answer, write.domain);
  if (answer.status >= 300 && answer.status !== 503) log.noteBreach(`${write.domain} was answered ${answer.text}`);
  return verdict;
}

function readId(answer: HttpAnswer): number {
  const { json } = answer;
  if (typeof json !== "object" || json === null || !("data" in json)) return Number.NaN;
  const { data } = json;
  return typeof data === "object" && data !== null && "id" in data ? Number(data.id) : Number.NaN;
}
