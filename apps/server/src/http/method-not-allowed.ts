import type { RequestHandler } from "express";
import { AppError } from "../errors/app-error.ts";
import { addHeader, send } from "./send.ts";

/** Answers every method that a path does not support, and lists those it supports. OPTIONS gets only the list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
  return (request, response) => {
    if (request.method === "OPTIONS") {
      addHeader(response, "Allow", allow);
      send(response, { status: 204 });
      return;
    }
    throw new AppError("method_not_allowed", `This path does not support ${request.method}. Use one of: ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}
