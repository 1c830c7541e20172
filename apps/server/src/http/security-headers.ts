import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * Answers are data or plain pages: nothing in them may run, be framed, be guessed to be another type, or be read by
 * another site (OWASP ASVS 5.0, 3.4). Headers for browsers that are no longer kept are left out.
 */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      "default-src": ["'none'"],
      "style-src": ["'unsafe-inline'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
    },
  },
  // The other hosts of the domain may not be ours to speak for.
  strictTransportSecurity: { includeSubDomains: false },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Sets the headers that helmet chose once, at the start: they are the same for every answer. */
export function securityHeaders(): RequestHandler {
  const chosen = chooseHeaders();
  return (_request, response, next) => {
    for (const [name, value] of chosen) response.setHeader(name, value);
    next();
  };
}

function chooseHeaders(): [name: string, value: string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}
