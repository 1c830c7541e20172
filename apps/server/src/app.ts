import { apiPath, isBelow, type PasswordHasher, pathNotFound, type RateLimits, readQuery } from "@siteward/service";
import express, { type ErrorRequestHandler } from "express";
import type { ApiKeyCache } from "./auth/api-key-cache.ts";
import type { LimitInvalidKeys } from "./auth/invalid-keys.ts";
import type { Config } from "./config.ts";
import { type Admissions, awaitTurn } from "./door/admission.ts";
import { authenticate, limitRate } from "./door/authenticate.ts";
import { errorHandler } from "./door/errors.ts";
import { exchangeOf } from "./door/exchange.ts";
import { health } from "./door/health.ts";
import { mountOperations } from "./door/mount-operations.ts";
import { pages } from "./door/pages.ts";
import { refuseAmbiguous } from "./door/refuse-ambiguous.ts";
import { type RequestMeter, requestLog } from "./door/request-log.ts";
import { inOrder, runSteps } from "./door/run-steps.ts";
import { type Application, addSecurityHeaders, toMessages } from "./door/send.ts";
import type { Log } from "./log.ts";
import type { Storage } from "./storage/interface/storage.ts";

/** What the application gets from its caller. It opens no database, reads no environment and starts no clock itself. */
interface Dependencies {
  readonly config: Pick<Config, "rateLimit" | "trustProxy" | "pages">;
  readonly storage: Storage;
  readonly apiKeys: ApiKeyCache;
  readonly failures: LimitInvalidKeys;
  readonly rateLimits: RateLimits;
  readonly admissions: Admissions;
  readonly passwords: PasswordHasher;
  readonly log: Pick<Log, "logger" | "answered">;
  readonly meter?: RequestMeter | undefined;
}

/** Creates the application. Everything that happens to a request is listed here, from top to bottom. */
export function createApp(dependencies: Dependencies): Application {
  const { config, log, storage, apiKeys, failures, rateLimits, admissions, passwords, meter } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.set("query parser", readQuery);
  app.set("trust proxy", config.trustProxy);

  const refuse = errorHandler(log.logger, meter);
  // Express recognizes an error handler by its four parameters.
  const refuseThrown: ErrorRequestHandler = (error, request, _response, _next) => refuse(error, exchangeOf(request));
  const ofApi = inOrder(
    authenticate(apiKeys, failures),
    limitRate(rateLimits, config.rateLimit),
    awaitTurn(admissions),
  );
  const answer = runSteps(
    refuse,
    requestLog(log.answered, meter, config.trustProxy !== false),
    addSecurityHeaders,
    refuseAmbiguous,
    (exchange) => (isBelow(apiPath, exchange.request.path) ? ofApi(exchange) : undefined),
    ({ request, response }) => void app(request, response),
  );
  mountOperations(app, { storage, passwords });
  app.use(health(storage));
  app.use(pages(config.pages));
  app.use((request) => {
    throw pathNotFound(request.path);
  });
  app.use(refuseThrown);
  return { answer, messages: toMessages(app) };
}
