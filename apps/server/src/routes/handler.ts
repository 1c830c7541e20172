import type { IncomingMessage } from "node:http";
import type { AppRoute, ServerInferRequest, ServerInferResponses } from "@ts-rest/core";
import type { Request, Response } from "express";

/**
 * Answers one route of the contract. A handler takes the validated parts of a request and returns a declared response; it
 * throws an `AppError` to refuse the request.
 */
export type Handler<Route extends AppRoute> = (
  input: RequestParts<Route> & { readonly req: HandlerRequest; readonly res: Response },
) => Promise<ServerInferResponses<Route>>;

/** The validated parts of a request: its path parameters, query and body. */
export type RequestParts<Route extends AppRoute> = ServerInferRequest<Route>;

/** What a handler may read from the request apart from its validated parts. The raw query and parameters are left out. */
export type HandlerRequest = IncomingMessage & Pick<Request, "protocol" | "host">;
