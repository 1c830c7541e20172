import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Account, CreateWebsite, Problem, UpdateWebsite, Website } from "@siteward/sdk";
import { keys } from "./keys.ts";

/** A request as it arrived. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly body: CreateWebsite | undefined;
}

/** A service that speaks the contract over real HTTP on loopback and keeps its websites in memory. */
export interface FakeService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly websites: Map<number, Website>;
  readonly requests: readonly SeenRequest[];
  /** Says how the next requests are answered, one each; later ones are answered as usual. */
  readonly answerNext: (...answers: PlannedAnswer[]) => void;
}

/** An answer that a test plans: as usual, none at all, or an error. */
type PlannedAnswer =
  | "usual"
  | "none"
  | {
      /** Its code may be one that the contract does not name, as a proxy or a newer service may send. */
      readonly problem: Partial<Omit<Problem, "code">> & { readonly status: number; readonly code: string };
      readonly headers?: Record<string, string>;
    };

interface Call extends SeenRequest {
  readonly id: number | undefined;
}

class Refusal extends Error {
  readonly answer: Exclude<PlannedAnswer, string>;

  constructor(answer: Exclude<PlannedAnswer, string>) {
    super(answer.problem.code);
    this.answer = answer;
  }
}

/** Starts a service that holds websites of these domains, with ids from 1. */
export async function startFakeService(domains: readonly string[] = []): Promise<FakeService> {
  const websites = new Map(domains.map((domain, index) => [index + 1, newWebsite(index + 1, { domain })]));
  const requests: SeenRequest[] = [];
  const planned: PlannedAnswer[] = [];
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push(call);
    const plan = planned.shift() ?? "usual";
    if (plan === "none") return;
    try {
      if (plan !== "usual") throw new Refusal(plan);
      answer(response, handle(call, request.headers.authorization, websites));
    } catch (error) {
      refuse(response, error);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with one; Node's type also knows pipes.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    websites,
    requests,
    answerNext: (...answers) => void planned.push(...answers),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function handle(call: Call, authorization: string | undefined, websites: Map<number, Website>): [number, unknown] {
  const key = authorization?.replace("Bearer ", "");
  if (key !== keys.full && key !== keys.withoutAccountScope)
    throw refusal(401, "unauthenticated", "The key is revoked.");
  if (call.path === "/api/v1/account") {
    if (key !== keys.full) throw refusal(403, "insufficient_scope", "The key lacks the scope account:read.");
    return [200, { data: account(websites.size) }];
  }
  if (call.method === "GET" && call.id === undefined) return [200, page(call.query, [...websites.values()])];
  if (call.body !== undefined && call.method === "POST") return [201, { data: create(call.body, websites) }];
  const website = websites.get(call.id ?? 0);
  if (website === undefined) throw refusal(404, "not_found", `There is no website ${call.id}.`);
  if (call.method === "PUT") return [200, { data: update(website, call.body ?? {}, websites) }];
  if (call.method === "DELETE") return [204, websites.delete(website.id)];
  return [200, { data: website }];
}

function page(query: URLSearchParams, all: readonly Website[]): unknown {
  const size = Number(query.get("per_page") ?? 10);
  const offset = Number(query.get("cursor")?.slice("after-".length) ?? (Number(query.get("page") ?? 1) - 1) * size);
  const found = all.filter(({ domain }) => domain.includes(query.get("search") ?? ""));
  const next = offset + size < found.length ? `after-${offset + size}` : null;
  return {
    data: found.slice(offset, offset + size),
    links: { first: "", prev: null, next },
    meta: {
      per_page: size,
      total: found.length,
      total_relation: "eq",
      current_page: 1,
      last_page: 1,
      next_cursor: next,
      prev_cursor: null,
    },
  };
}

function create(input: CreateWebsite, websites: Map<number, Website>): Website {
  if (input.domain.includes("/")) {
    throw refusal(422, "validation_failed", "Some fields are not accepted.", {
      errors: { domain: ['has a path; send "example.com"'] },
    });
  }
  const taken = [...websites.values()].find(({ domain }) => domain === input.domain);
  if (taken !== undefined) {
    throw refusal(409, "domain_taken", `${input.domain} is website ${taken.id} already.`, { website_id: taken.id });
  }
  const website = newWebsite(Math.max(0, ...websites.keys()) + 1, input);
  websites.set(website.id, website);
  return website;
}

function update(website: Website, input: UpdateWebsite, websites: Map<number, Website>): Website {
  if (input.privacy === 2 && input.password === undefined && !website.has_password) {
    throw refusal(422, "validation_failed", "Some fields are not accepted.", { errors: { password: ["is required"] } });
  }
  const changed = newWebsite(website.id, { ...website, ...input });
  websites.set(website.id, changed);
  return changed;
}

function newWebsite(id: number, { password, ...input }: CreateWebsite): Website {
  const time = "2026-11-20T10:00:00.000Z";
  return {
    id,
    domain: input.domain,
    privacy: input.privacy ?? 0,
    has_password: password !== undefined,
    email: input.email ?? 0,
    exclude_bots: input.exclude_bots ?? 1,
    exclude_params: [input.exclude_params ?? []].flat(),
    exclude_ips: [input.exclude_ips ?? []].flat(),
    created_at: time,
    updated_at: time,
  };
}

function account(count: number): Account {
  const time = "2026-11-01T08:00:00.000Z";
  return {
    id: 1,
    name: "Ada",
    email: "ada@example.com",
    websites: { count, limit: null },
    created_at: time,
    updated_at: time,
    api_key: {
      name: "laptop",
      prefix: "swk_AAAA",
      scopes: ["websites:read", "websites:write", "account:read"],
      created_at: time,
      expires_at: null,
      last_used_at: null,
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const hasBody = request.method === "POST" || request.method === "PUT";
  const id = /^\/api\/v1\/websites\/(\d+)$/.exec(url.pathname)?.[1];
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    userAgent: request.headers["user-agent"],
    // What an update sends is part of what a creation sends; anything else fails the test that looks at it.
    body: hasBody ? ((await json(request)) as CreateWebsite) : undefined,
    id: id === undefined ? undefined : Number(id),
  };
}

function refusal(status: number, code: Problem["code"], detail: string, more: Partial<Problem> = {}): Refusal {
  return new Refusal({ problem: { status, code, detail, ...more } });
}

function answer(response: ServerResponse, [status, body]: [number, unknown]): void {
  response.writeHead(status, status === 204 ? {} : { "content-type": "application/json" });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  const { problem, headers } = error.answer;
  const defaults = { type: "about:blank", title: problem.code, detail: `It is ${problem.code}.`, request_id: "req-1" };
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
    "x-request-id": "req-1",
    ...headers,
  });
  response.end(JSON.stringify({ ...defaults, ...problem }));
}
