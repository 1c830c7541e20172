import type { IncomingMessage } from "node:http";
import type { AppRoute, ServerInferRequest, ServerInferResponses } from "@ts-rest/core";
import type { Request, Response } from "express";

/** What a handler may see of the request beside its validated parts. The raw query and parameters are not among it. */
type HandlerRequest = IncomingMessage & Pick<Request, "protocol" | "host">;

/**
 * What answers one route of the contract. It takes the validated request and returns a declared response; a refusal is
 * thrown as an `AppError`.
 */
export type Handler<Route extends AppRoute> = (
  input: ServerInferRequest<Route> & { readonly req: HandlerRequest; readonly res: Response },
) => Promise<ServerInferResponses<Route>>;
