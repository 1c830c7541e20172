import type { RequestHandler } from "express";
import helmet from "helmet";

/** Answers are data or plain pages: nothing in them may run, be framed or be guessed to be another type. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      "default-src": ["'none'"],
      "style-src": ["'unsafe-inline'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
    },
  },
});
