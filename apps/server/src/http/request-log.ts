import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import { requestIdOf } from "./request-id.ts";

/** Logs one line for every answered request. No header and no body is logged: they hold keys and passwords. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: requestIdOf,
    quietReqLogger: true,
    customAttributeKeys: { reqId: "request_id", responseTime: "duration_ms" },
    customLogLevel: (_request, response, error) =>
      error !== undefined || response.statusCode >= 500 ? "error" : "info",
    serializers: {
      req: (request) => ({ method: request.method, url: request.url, remote: request.remoteAddress }),
      res: (response) => ({ status: response.statusCode }),
      err: () => undefined,
    },
  });
}
