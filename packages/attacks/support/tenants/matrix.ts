import { routes } from "@siteward/contract";
import { generateApiKey } from "@siteward/testing/engines/account-rows";
import type { RawAnswer, RawConnection } from "../client/raw-connection.ts";
import { type RequestParts, writeRequest } from "../client/write-request.ts";
import { domainOfOther, foreignId, neverId, otherAccountId, ownAccountId, type Tenants } from "./tenants.ts";

interface Probe {
  readonly route: { readonly method: string; readonly path: string; readonly scope: string };
  readonly place: "own" | "foreign" | "never" | "none";
  readonly parts: RequestParts;
}

/** The answer to one route with one kind of key and ID. */
interface Cell extends Probe {
  readonly name: string;
  readonly answer: RawAnswer;
}

export interface Matrix {
  readonly cells: readonly Cell[];
  /** How the promise was broken, one line each. */
  readonly breaches: readonly string[];
}

/** Sends requests to every route with every kind of ID and key. The answers must match the design, and no other account may change. */
export async function tryMatrix(tenants: Tenants, connection: RawConnection): Promise<Matrix> {
  const cells: Cell[] = [];
  const tryKey = async (name: string, apiKey: string | undefined) => {
    for (const probe of probes(name)) {
      const answer = await connection.send(writeRequest({ ...probe.parts, apiKey }));
      cells.push({ ...probe, name, answer });
    }
  };
  const other = await readAccount(tenants, otherAccountId);
  for (const [name, apiKey] of Object.entries(keysOf(tenants))) await tryKey(name, apiKey);
  const breaches = [...findWrong(cells), ...findDistinguishable(cells)];
  if ((await readAccount(tenants, otherAccountId)) !== other) breaches.push("The own keys changed the other account.");
  const own = await readAccount(tenants, ownAccountId);
  await tryKey("other", tenants.keys.other);
  if ((await readAccount(tenants, ownAccountId)) !== own) breaches.push("The other key changed the own account.");
  return { cells, breaches };
}

function keysOf({ keys }: Tenants): Record<string, string | undefined> {
  const { own, reading, writing, accountOnly, expired, revoked } = keys;
  const garbled = `${own.slice(0, -1)}${own.endsWith("0") ? "1" : "0"}`;
  return {
    missing: undefined,
    garbled,
    unknown: generateApiKey(),
    expired,
    revoked,
    accountOnly,
    writing,
    reading,
    own,
  };
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

const scopesOf: Readonly<Record<string, readonly string[]>> = {
  own: ["websites:read", "websites:write", "account:read"],
  reading: ["websites:read"],
  writing: ["websites:write"],
  accountOnly: ["account:read"],
};
const successes: Readonly<Record<string, number>> = { GET: 200, POST: 201, PUT: 200, DELETE: 204 };

function findWrong(cells: readonly Cell[]): string[] {
  const wrong = cells.filter((cell) => cell.answer.status !== wantedStatus(cell));
  return wrong.map((cell) => `${describe(cell)} should be ${wantedStatus(cell)}, but is ${cell.answer.text}`);
}

function wantedStatus({ name, place, route }: Cell): number {
  const scopes = scopesOf[name];
  if (scopes === undefined) return 401;
  if (!scopes.includes(route.scope)) return 403;
  return place === "foreign" || place === "never" ? 404 : (successes[route.method] ?? 0);
}

/** Answers that must not be distinguishable are equal byte for byte, except for the request's ID and the date. */
function findDistinguishable(cells: readonly Cell[]): string[] {
  const refused = cells.filter(({ answer, name }) => answer.status === 401 && name !== "missing");
  const unused = cells.filter(({ place }) => place === "never");
  const alike = unused.map(({ name, route }) =>
    cells.filter((cell) => cell.name === name && cell.route === route && (cell.place !== "own" || isRefusal(cell))),
  );
  return [refused, ...alike].flatMap(findDifferent);
}

function isRefusal({ answer: { status } }: Cell): boolean {
  return status >= 401 && status <= 403;
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

async function readAccount(database: Tenants, accountId: number): Promise<string> {
  const websites = await database.query(`select * from websites where account_id = ${accountId} order by id`);
  const account = await database.query(`select * from accounts where id = ${accountId}`);
  return JSON.stringify([account, websites]);
}
