import { type HttpTarget, startTarget } from "../bare/start-target.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { Database } from "../engines/database.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { rawThemes } from "../raw/cases/index.ts";
import { exchange } from "../raw/exchange.ts";
import { type IsKnownCode, judgeExchange, readExpected } from "../raw/judge-exchange.ts";
import type { RawCase } from "../raw/raw-case.ts";
import type { Attack, Row } from "../row.ts";

/** Writes requests to sockets byte for byte, most of them invalid, and reads the answers. */
export const rawHttp = {
  promise:
    "Whatever bytes arrive, each request gets its own answer, a refusal is a problem document, and nothing is a 500.",
  engines: ["sqlite"],
  rounds: { unit: "passes", default: 5, short: 1 },
  async run(attack) {
    const violations: string[] = [];
    let answers = 0;
    for (let pass = 0; pass < attack.rounds; pass += 1) {
      const found = await runPass(attack, pass);
      answers += found.answers;
      violations.push(...found.violations);
      if (hasSeenSabotage(attack, violations)) break;
    }
    return { figures: { cases: cases.length, connections: cases.length * attack.rounds, answers }, violations };
  },
} as const satisfies Row;

/** The number of connections at the same time. */
const parallel = 24;
/** The answers to these depend on whether all bytes arrive at the same time. */
const unsplit = new Set(["pipelines", "lengths", "chunks"]);

interface NamedCase {
  readonly name: string;
  readonly case: RawCase;
  readonly canSplit: boolean;
}

const cases: readonly NamedCase[] = Object.entries(rawThemes).flatMap(([theme, themeCases]) =>
  Object.entries<RawCase>(themeCases).map(([name, rawCase]) => ({
    name: `${theme}: ${name}`,
    case: rawCase,
    canSplit: !unsplit.has(theme),
  })),
);

/** Each pass has its own database, so that every domain is free. Every second pass sends the cases in pieces. */
async function runPass(attack: Attack, pass: number): Promise<{ answers: number; violations: string[] }> {
  const database = await attack.createDatabase();
  const { server, account } = await startTarget(attack, database);
  await using _ = server;
  using client = createHttpClient(server.url);
  const isKnownCode = rememberCodes(client);
  const violations: string[] = [];
  const waiting = cases.entries();
  let [answers, created] = [0, 0];
  const work = async () => {
    for (const [index, { name, case: rawCase, canSplit }] of waiting) {
      const bytes = rawCase[0].replaceAll("{key}", account.apiKey).replaceAll("{domain}", domainOf(index));
      const pieces = pass % 2 === 0 || !canSplit ? [bytes] : split(attack, bytes);
      const result = await tryCase(server, rawCase, pieces);
      answers += result.answers.length;
      created += result.answers.filter(({ status }) => status === 201).length;
      const found = await judgeExchange(rawCase[1], result, isKnownCode);
      violations.push(...found.map((breach) => `${name}: ${breach}`));
      if (hasSeenSabotage(attack, violations)) return;
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  if (server.hasEnded()) violations.push("The server ended.");
  if (!attack.isSabotaged) violations.push(...(await findUnanswered(database, created)));
  return { answers, violations };
}

function tryCase({ port }: HttpTarget, [, expected]: RawCase, pieces: readonly string[]) {
  const { statuses, after } = readExpected(expected);
  return exchange({ port, pieces, count: statuses.length, after });
}

/** A request that is refused, or not answered, creates nothing. */
async function findUnanswered(database: Database, created: number): Promise<string[]> {
  const [row] = await database.query("select count(*) as count from websites");
  const stored = Number(row?.["count"]);
  return stored === created ? [] : [`${stored} websites were created, and ${created} creates were answered.`];
}

/** Eight characters, as `{domain}` has. */
function domainOf(index: number): string {
  return `${String(index).padStart(4, "c")}.com`;
}

function split({ random }: Attack, bytes: string): string[] {
  const first = random.integer(1, Math.max(1, bytes.length - 1));
  const second = random.integer(first, bytes.length);
  return [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)].filter((piece) => piece !== "");
}

/** A code is known if the server has a page for it, as the `type` of the problem says. */
function rememberCodes(client: HttpClient): IsKnownCode {
  const known = new Map<string, Promise<boolean>>();
  return (code) => {
    const answer =
      known.get(code) ??
      client.send("GET", `/docs/errors/${encodeURIComponent(code)}`).then(({ status }) => status === 200);
    known.set(code, answer);
    return answer;
  };
}
