import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { CreateWebsite, Website } from "@siteward/sdk";
import { type Call, handle, newWebsite, Refusal, type RefusedProblem } from "./fake-operations.ts";

/** A service that follows the contract over real HTTP on loopback and stores its websites in memory. */
export interface FakeService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly websites: Map<number, Website>;
  readonly requests: readonly Call[];
  /** Plans the answers to the next requests, one each. Later requests are answered as usual. */
  readonly answerNext: (...answers: PlannedAnswer[]) => void;
}

/** API keys with a valid checksum, named for what the service accepts them for. */
export const keys = {
  full: "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2",
  withoutAccountScope: "swk_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB0at54f",
  revoked: "swk_CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1fdVXg",
} as const;

/** A planned answer: the usual one, none, or an error. */
type PlannedAnswer = "usual" | "none" | { readonly problem: RefusedProblem; readonly headers?: Record<string, string> };

/** Starts a service that has websites with these domains. Their IDs count from 1. */
export async function startFakeService(domains: readonly string[] = []): Promise<FakeService> {
  const websites = new Map(domains.map((domain, index) => [index + 1, newWebsite(index + 1, { domain })]));
  const requests: Call[] = [];
  const planned: PlannedAnswer[] = [];
  const firstAnswers: FirstAnswers = new Map();
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push(call);
    const plan = planned.shift() ?? "usual";
    if (plan === "none") return;
    try {
      if (plan !== "usual") return refuse(response, plan.problem, plan.headers);
      checkKey(call, request.headers.authorization);
      answer(response, call, handleOnce(call, websites, firstAnswers));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(response, error.problem);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
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

function checkKey({ path }: Call, authorization: string | undefined): void {
  const key = authorization?.replace("Bearer ", "");
  if (key !== keys.full && key !== keys.withoutAccountScope) {
    throw new Refusal({ status: 401, code: "unauthenticated", detail: "The key is revoked." });
  }
  if (path === "/api/v1/account" && key !== keys.full) {
    const detail = "The key lacks the scope account:read.";
    throw new Refusal({ status: 403, code: "insufficient_scope", detail });
  }
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
    ifMatch: request.headers["if-match"],
    idempotencyKey: readString(request.headers["idempotency-key"]),
    // The body of an update is a part of the body of a create. Anything else fails the test that reads it.
    body: hasBody ? ((await json(request)) as CreateWebsite) : undefined,
    id: id === undefined ? undefined : Number(id),
  };
}

/** The first answer to each idempotency key. */
type FirstAnswers = Map<string, [number, unknown]>;

/** Runs the operation of a call, or returns the first answer to its idempotency key. */
function handleOnce(call: Call, websites: Map<number, Website>, firstAnswers: FirstAnswers): Handled {
  const first = firstAnswers.get(call.idempotencyKey ?? "");
  if (first !== undefined) return { answered: first, isReplay: true };
  const answered = handle(call, websites);
  if (call.idempotencyKey !== undefined) firstAnswers.set(call.idempotencyKey, answered);
  return { answered, isReplay: false };
}

interface Handled {
  readonly answered: [number, unknown];
  readonly isReplay: boolean;
}

function readString(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function answer(response: ServerResponse, { method, id }: Call, { answered, isReplay }: Handled): void {
  const [status, body] = answered;
  if (isReplay) response.setHeader("idempotency-replayed", "true");
  if (method === "GET") response.setHeader("etag", `"${id}-1"`);
  response.writeHead(status, status === 204 ? {} : { "content-type": "application/json" });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

function refuse(response: ServerResponse, problem: RefusedProblem, headers: Record<string, string> = {}): void {
  const defaults = { type: "about:blank", title: problem.code, detail: `It is ${problem.code}.`, request_id: "req-1" };
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
    "x-request-id": "req-1",
    ...headers,
  });
  response.end(JSON.stringify({ ...defaults, ...problem }));
}
