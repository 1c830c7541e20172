import { apiPath, isBelow, pathNotFound, readQuery } from "@siteward/service";
import express, { type RequestHandler } from "express";
import type { Dependencies } from "./dependencies.ts";
import { refuseOverload } from "./door/admission/refuse-overload.ts";
import { type Application, toApplication } from "./door/http/application.ts";
import { assignRequestId } from "./door/http/assign-request-id.ts";
import { authenticate, readKnownKeyId } from "./door/http/authenticate.ts";
import { errorHandler } from "./door/http/error-handler.ts";
import { limitRate } from "./door/http/limit-rate.ts";
import { refuseAmbiguous } from "./door/http/refuse-ambiguous.ts";
import { requestLog } from "./door/http/request-log.ts";
import { inOrder, runSteps, type Step } from "./door/http/run-steps.ts";
import { securityHeaders } from "./door/http/security-headers.ts";
import { mountOperations } from "./door/mount/mount-operations.ts";
import { apiPage } from "./door/pages/api-page.ts";
import { docs } from "./door/pages/docs.ts";
import { health } from "./door/pages/health.ts";

/** Creates the application. Everything that happens to a request is listed here, from top to bottom. */
export function createApp(dependencies: Dependencies): Application {
  const { config, log, storage, apiKeys, failures, rateLimits, passwords, meter } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.set("query parser", readQuery);
  app.set("trust proxy", config.trustProxy);

  const answerError = errorHandler({ logger: log.logger, publicUrl: config.publicUrl, meter });
  app.use(
    runSteps(
      answerError,
      assignRequestId,
      requestLog(log.answered, { meter, hasProxy: config.trustProxy !== false }),
      securityHeaders(),
      refuseOverload,
      refuseAmbiguous,
      below(apiPath, inOrder(neverStore, authenticate(apiKeys, failures), limitRate(rateLimits, config.rateLimit))),
    ),
  );
  mountOperations(app, { storage, passwords }, config);
  app.use(health(storage));
  app.use(docs());
  app.use(apiPage());
  app.use(refuseUnknownPath);
  app.use(answerError);
  return toApplication(app, (request) => readKnownKeyId(apiKeys, request));
}

/** Takes a step for the paths below a path. */
function below(path: string, step: Step): Step {
  return (exchange) => {
    if (isBelow(path, exchange.request.path)) return step(exchange);
  };
}

/** Responses contain an account's data and depend on the key, so no cache may store them (RFC 9111, section 5.2.2.5). */
const neverStore: Step = ({ headers }) => void headers.push("Cache-Control", "no-store");

const refuseUnknownPath: RequestHandler = (request) => {
  throw pathNotFound(request.path);
};
