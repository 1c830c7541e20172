import { routes } from "@siteward/contract";
import type { RawAnswer, RawConnection } from "../client/raw-connection.ts";
import { type RequestParts, writeRequest } from "../client/write-request.ts";
import { generateApiKey } from "../engines/account-rows.ts";
import type { Database } from "../engines/database.ts";
import type { Random } from "../random.ts";
import { domainOfOther, foreignId, neverId, otherAccountId, ownAccountId, type Tenants } from "./tenants.ts";

export interface MatrixOptions extends Tenants {
  readonly connection: RawConnection;
  readonly random: Random;
}

export interface Matrix {
  readonly cells: number;
  readonly violations: readonly string[];
}

/** Tests every route with every kind of id and key. The answers must match the design, and the other account must not change. */
export async function tryMatrix(options: MatrixOptions): Promise<Matrix> {
  const { database, keys } = options;
  const other = await readAccount(database, otherAccountId);
  const cells: Cell[] = [];
  for (const [name, apiKey] of Object.entries(keysOf(options))) {
    for (const probe of probes(name)) cells.push(await tryCell(options, { ...probe, name, apiKey }));
  }
  const violations = [...judgeAnswers(cells), ...judgeEqual(cells)];
  if ((await readAccount(database, otherAccountId)) !== other)
    violations.push("The own keys changed the other account.");
  const own = await readAccount(database, ownAccountId);
  for (const probe of probes("other"))
    cells.push(await tryCell(options, { ...probe, name: "other", apiKey: keys.other }));
  if ((await readAccount(database, ownAccountId)) !== own)
    violations.push("The other account's key changed the own account.");
  return { cells: cells.length, violations };
}

interface Probe {
  readonly route: { readonly method: string; readonly path: string; readonly scope: string };
  readonly place: "own" | "foreign" | "never" | "none";
  readonly parts: RequestParts;
}

interface Cell extends Probe {
  readonly name: string;
  readonly answer: RawAnswer;
}

/** Each key that may delete has its own website to delete. Each website is read first. */
function probes(name: string): Probe[] {
  const ownId = name === "own" ? 1 : name === "writing" ? 2 : 3;
  const ids = { own: ownId, foreign: foreignId, never: neverId, none: 0 } as const;
  const all: readonly Probe["route"][] = Object.values(routes).flatMap((resource) => Object.values(resource));
  return all.flatMap((route) => {
    const places: readonly Probe["place"][] = route.path.includes(":id") ? ["own", "foreign", "never"] : ["none"];
    return places.map((place) => {
      const path = route.path.replace(":id", String(ids[place]));
      return { route, place, parts: { method: route.method, path, ...bodyOf(route.method, ownId) } };
    });
  });
}

/** This account can create a domain that the other account has. */
function bodyOf(method: string, number: number): Pick<RequestParts, "headers" | "body"> {
  if (method !== "POST" && method !== "PUT") return {};
  const fields = method === "POST" ? { domain: domainOfOther(number) } : { email: 1 };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) };
}

function keysOf({ keys, random }: MatrixOptions): Record<string, string | undefined> {
  const { own, reading, writing, accountOnly, expired, revoked } = keys;
  const last = own.at(-1) === "0" ? "1" : "0";
  const garbled = `${own.slice(0, -1)}${last}`;
  const unknown = generateApiKey(random);
  return { missing: undefined, garbled, unknown, expired, revoked, accountOnly, writing, reading, own };
}

async function tryCell(
  { connection }: MatrixOptions,
  { name, apiKey, ...probe }: Probe & { readonly name: string; readonly apiKey: string | undefined },
): Promise<Cell> {
  return { ...probe, name, answer: await connection.send(writeRequest({ ...probe.parts, apiKey })) };
}

const scopesOf: Readonly<Record<string, readonly string[]>> = {
  own: ["websites:read", "websites:write", "account:read"],
  reading: ["websites:read"],
  writing: ["websites:write"],
  accountOnly: ["account:read"],
};
const successes: Readonly<Record<string, number>> = { GET: 200, POST: 201, PUT: 200, DELETE: 204 };

function judgeAnswers(cells: readonly Cell[]): string[] {
  return cells.flatMap((cell) => {
    const wanted = wantedStatus(cell);
    const isRight = wanted === cell.answer.status;
    return isRight ? [] : [`${describe(cell)} should be ${wanted}, but is ${cell.answer.status} ${cell.answer.text}`];
  });
}

function wantedStatus({ name, place, route }: Cell): number {
  const scopes = scopesOf[name];
  if (scopes === undefined) return 401;
  if (!scopes.includes(route.scope)) return 403;
  return place === "foreign" || place === "never" ? 404 : (successes[route.method] ?? 0);
}

/** Answers that must not be distinguishable are equal byte for byte, except for the request's id and the date. */
function judgeEqual(cells: readonly Cell[]): string[] {
  const refused = cells.filter(({ answer, name }) => answer.status === 401 && name !== "missing");
  const found = findDifferent(refused);
  for (const cell of cells.filter(({ place }) => place === "never")) {
    const same = cells.filter(({ name, route }) => name === cell.name && route === cell.route);
    found.push(
      ...findDifferent(
        same.filter(({ place, answer }) => place !== "own" || (answer.status >= 401 && answer.status <= 403)),
      ),
    );
  }
  return found;
}

function findDifferent(cells: readonly Cell[]): string[] {
  const [first] = cells;
  if (first === undefined) return [];
  const different = cells.filter(({ answer }) => normalize(answer) !== normalize(first.answer));
  return different.map((cell) => `${describe(cell)} is not answered like ${describe(first)}: ${cell.answer.text}`);
}

function normalize({ status, headers, json, text }: RawAnswer): string {
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  const id = headers.get("x-request-id") ?? "";
  return JSON.stringify([status, kept, json === undefined ? text : text.replace(id, "")]);
}

function describe({ name, place, parts }: Cell): string {
  return `${parts.method} ${parts.path} (${place}) with the key ${name}`;
}

async function readAccount(database: Database, accountId: number): Promise<string> {
  const websites = await database.query(`select * from websites where account_id = ${accountId} order by id`);
  const account = await database.query(`select * from accounts where id = ${accountId}`);
  return JSON.stringify([account, websites]);
}
