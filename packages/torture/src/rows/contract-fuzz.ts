import { openRawConnection, type RawAnswer, type RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import type { Database } from "../engines/database.ts";
import { insertAccounts } from "../engines/insert-accounts.ts";
import { type AccountModel, createAccountModel } from "../fuzz/account-model.ts";
import { create } from "../fuzz/create.ts";
import { judgeShape } from "../fuzz/judge-shape.ts";
import { list } from "../fuzz/list.ts";
import { odd } from "../fuzz/odd-request.ts";
import type { Operation, Subject } from "../fuzz/operation.ts";
import { get, getAccount, remove } from "../fuzz/read-one.ts";
import { update } from "../fuzz/update.ts";
import type { Attack, Row } from "../row.ts";

/** Sends random requests, built from the contract, for several accounts, and compares each answer with a model. */
export const contractFuzz = {
  promise: "Every request, valid or not, gets the answer that the contract and the account's history require.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "requests", default: 20_000, short: 600 },
  async run(attack) {
    const database = await attack.createDatabase();
    const state: State = { attack, statuses: new Map(), violations: [], sent: 0, startedAtMs: 0 };
    const subjects = await createSubjects(attack, database);
    await using server = await attack.start(database);
    state.startedAtMs = performance.now();
    await Promise.all(
      subjects.map(async (subject) => {
        using connection = openRawConnection(server.port);
        await sendAll(state, subject, connection);
      }),
    );
    const seconds = (performance.now() - state.startedAtMs) / 1000;
    state.violations.push(...(await database.findDamage()));
    if (server.hasEnded()) state.violations.push(`The server ended: ${server.log().slice(-500)}`);
    const rejected = [...state.statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0);
    return {
      figures: {
        requests: state.sent,
        refused: rejected,
        "server errors": [...state.statuses.keys()].filter((status) => status >= 500).length,
        "per second": Math.round(state.sent / seconds),
        violations: state.violations.length,
      },
      violations: state.violations,
    };

    async function sendAll(state: State, subject: Subject, connection: RawConnection): Promise<void> {
      const share = Math.ceil(attack.rounds / subjects.length);
      for (let count = 0; count < share && state.violations.length < maxViolations; count += 1) {
        await sendOne(state, subject, connection);
        // The sabotage: records change without a request.
        if (attack.isSabotaged && count === Math.floor(share / 2)) await changeRecords(database);
      }
    }
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly statuses: Map<number, number>;
  readonly violations: string[];
  sent: number;
  startedAtMs: number;
}

const maxViolations = 20;
/** Null means no limit. The small limit is often reached. */
const limits = [...Array.from({ length: 12 }, () => null), 200, 40, 40, 12];

async function createSubjects(attack: Attack, database: Database): Promise<Subject[]> {
  await attack.operate(database, "migrate");
  const keys = [{}, { scopes: ["websites:read"] }];
  const accounts = limits.map((websiteLimit) => ({ websiteLimit, keys }));
  const everyone: AccountModel[] = limits.map(createAccountModel);
  const inserted = await insertAccounts(database, attack.random, accounts);
  return inserted.flatMap(({ apiKeys: [apiKey = "", readingKey = ""] }, index) => {
    const model = everyone[index];
    const random = attack.random.fork(`account ${index}`);
    return model === undefined ? [] : [{ random, model, apiKey, readingKey, everyone }];
  });
}

/** How many of a hundred requests use each operation. */
const shares = [
  [22, create],
  [25, update],
  [13, get],
  [22, list],
  [9, remove],
  [3, getAccount],
  [6, odd],
] as const satisfies readonly (readonly [number, (subject: Subject) => Operation])[];
const operations = shares.flatMap(([share, operation]) => Array.from({ length: share }, () => operation));

async function sendOne(state: State, subject: Subject, connection: RawConnection): Promise<void> {
  const operation = subject.random.pick(operations)(subject);
  const isHead = operation.method === "HEAD";
  state.sent += 1;
  try {
    const answer = await connection.send(writeRequest(operation), { isHead });
    state.statuses.set(answer.status, (state.statuses.get(answer.status) ?? 0) + 1);
    const { path } = operation;
    const found = [...judgeShape(answer, { path, isHead }), ...operation.judge(answer)];
    state.violations.push(...found.map((breach) => `${describe(operation, answer)}: ${breach}`));
  } catch (error) {
    state.violations.push(`${describe(operation)}: ${error instanceof Error ? error.message : error}`);
  }
}

function describe({ method, path, headers, body }: Operation, answer?: RawAnswer): string {
  const sent = [`${method} ${path}`, headers?.["content-type"], body?.slice(0, 300)].filter(Boolean).join(" ");
  return answer === undefined ? sent : `${sent} was answered with ${answer.status} ${answer.text.slice(0, 300)}`;
}

async function changeRecords(database: Database): Promise<void> {
  await database.query("update websites set email = 1 - email");
}
