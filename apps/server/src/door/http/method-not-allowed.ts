import { methodNotAllowed as refuseMethod, toAllow } from "@siteward/service";
import type { RequestHandler } from "express";
import { exchangeOf } from "../admission/exchange.ts";
import { send } from "./send.ts";

/** Answers every method that a path does not support, and lists those it supports. OPTIONS gets only the list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = toAllow(methods);
  return (request, response) => {
    if (request.method === "OPTIONS") {
      exchangeOf(request).headers.push("Allow", allow);
      send(response, { status: 204 });
      return;
    }
    throw refuseMethod(request.method, allow);
  };
}
