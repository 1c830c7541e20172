import { methodNotAllowed as refuseMethod, toAllow } from "@siteward/service";
import type { RequestHandler } from "express";
import { addHeader, send } from "./send.ts";

/** Answers every method that a path does not support, and lists those it supports. OPTIONS gets only the list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = toAllow(methods);
  return (request, response) => {
    if (request.method === "OPTIONS") {
      addHeader(response, "Allow", allow);
      send(response, { status: 204 });
      return;
    }
    throw refuseMethod(request.method, allow);
  };
}
