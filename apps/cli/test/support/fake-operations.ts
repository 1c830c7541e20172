import type { Account, CreateWebsite, Problem, UpdateWebsite, Website } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/unicode";

/** A request as the service read it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: CreateWebsite | undefined;
  readonly id: number | undefined;
}

/** An error that the service answers with. */
export class Refusal extends Error {
  readonly problem: RefusedProblem;

  constructor(problem: RefusedProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** The problem details that a refusal sets. The service adds the rest. */
export interface RefusedProblem extends Partial<Omit<Problem, "code">> {
  readonly status: number;
  /** Can be a code that the contract does not name, as a proxy or a newer service may send. */
  readonly code: string;
}

/**
 * Runs the operation of a call.
 *
 * @returns the status and the body of the answer
 * @throws Refusal if the answer is an error
 */
export function handle(call: Call, websites: Map<number, Website>): [number, unknown] {
  if (call.path === "/api/v1/account") return [200, { data: account(websites.size) }];
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
  const term = query.get("search") ?? "";
  const found = all.filter(({ domain }) => domain.includes(term) || toUnicodeDomain(domain).includes(term));
  const next = offset + size < found.length ? `after-${offset + size}` : null;
  return {
    data: found.slice(offset, offset + size),
    links: { first: "", prev: null, next },
    meta: {
      per_page: size,
      total: found.length,
      total_relation: "eq",
      current_page: 1,
      last_page: Math.max(1, Math.ceil(found.length / size)),
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

/** Returns a new record with the defaults of the contract. */
export function newWebsite(id: number, { password, ...input }: CreateWebsite): Website {
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

function refusal(status: number, code: Problem["code"], detail: string, more: Partial<Problem> = {}): Refusal {
  return new Refusal({ status, code, detail, ...more });
}
