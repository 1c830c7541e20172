import {
  type Operation,
  operations,
  refuseInvalid,
  type ServedContract,
  type Service,
  servedContract,
  type ValidationIssue,
} from "@siteward/service";
import type { AppRoute } from "@ts-rest/core";
import {
  type AppRouteImplementation,
  createExpressEndpoints,
  initServer,
  type RequestValidationError,
} from "@ts-rest/express";
import type { Express, NextFunction, Request } from "express";
import { exchangeOf } from "../admission/exchange.ts";
import { refuseOverload } from "../admission/refuse-overload.ts";
import { createAdmit } from "./admit.ts";
import { mountPaths } from "./mount-paths.ts";
import { ServedCall } from "./served-call.ts";

/** How the operations are mounted. */
interface MountOptions {
  /** The URL at which clients reach the service, if it is configured. */
  readonly publicUrl: string | undefined;
  /** Whether each answer is validated by the contract, as in tests. It takes 28 % of the throughput. */
  readonly validateResponses: boolean;
}

/** Mounts every operation of the service at its route. Nothing else of the server knows both HTTP and the operations. */
export function mountOperations(app: Express, service: Service, { publicUrl, validateResponses }: MountOptions): void {
  const router = initServer().router(servedContract, toRouter(service, publicUrl));
  mountPaths(app, (collector) =>
    createExpressEndpoints(servedContract, router, collector, {
      logInitialization: false,
      responseValidation: validateResponses,
      globalMiddleware: [createAdmit()],
      requestValidationErrorHandler: passOnRefusal,
    }),
  );
}

function toRouter(service: Service, publicUrl: string | undefined): ServedRouter {
  const resources = Object.entries(operations).map(([resource, ofResource]) => [
    resource,
    Object.fromEntries(
      // The casts are safe: ts-rest calls each operation with what the schemas of its own route returned, and the compiler checks
      // that `operations` has all of them and that each answers what its route declares.
      Object.entries(ofResource).map(([name, run]) => [name, toHandler(run as Operation<unknown>, service, publicUrl)]),
    ),
  ]);
  return Object.fromEntries(resources) as ServedRouter;
}

/** What ts-rest calls for each route. */
type ServedRouter = {
  readonly [Resource in keyof ServedContract]: {
    readonly [Name in keyof ServedContract[Resource]]: Implementation<ServedContract[Resource][Name]>;
  };
};
type Implementation<Route> = Route extends AppRoute ? AppRouteImplementation<Route> : never;

interface Validated {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly req: Request;
}

/** Turns a request into a call, and its answer into what ts-rest sends. */
function toHandler(run: Operation<unknown>, service: Service, publicUrl: string | undefined) {
  return async ({ params, query, body, req }: Validated) => {
    const exchange = exchangeOf(req);
    const call = new ServedCall(exchange, { params, query, body }, publicUrl);
    // The fields as they were sent are validated. A connection keeps its last request until the next one comes.
    req.body = undefined;
    exchange.progress.beginWork();
    try {
      refuseOverload(exchange);
      const { status, headers, body: content } = await run(call, service);
      for (const name in headers) exchange.headers.push(name, headers[name] ?? "");
      return { status, body: content };
    } finally {
      exchange.progress.endWork();
    }
  };
}

function passOnRefusal(error: RequestValidationError, _request: unknown, _response: unknown, next: NextFunction): void {
  // Zod's own issues have `keys`, which the Standard Schema type does not mention.
  const issues = [error.query, error.body].flatMap((part) => (part?.issues ?? []) as ValidationIssue[]);
  next(refuseInvalid({ isPathInvalid: error.pathParams !== null, issues }));
}
