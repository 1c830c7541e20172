import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";
import type { Exchange } from "../admission/exchange.ts";
import type { Step } from "./run-steps.ts";

/**
 * Responses are data or plain pages. Nothing in them may run, be framed, be taken for another type, or be read by another
 * site (OWASP ASVS 5.0, 3.4). Headers for browsers that are no longer maintained are left out.
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
  // The other hosts of the domain can belong to somebody else.
  strictTransportSecurity: { includeSubDomains: false },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Adds the headers that helmet chose once, at the start. They are the same for every response. */
export function securityHeaders(): Step {
  const chosen = chooseHeaders();
  return ({ headers }) => {
    headers.push(...chosen);
  };
}

const policyName = "content-security-policy";

/**
 * Allows a page to run the scripts and styles of this server, and to send requests to it, but to no other. A script in the page
 * itself does not run. The icons of Swagger UI are `data:` images in its styles.
 */
export function allowOwnFiles({ headers }: Exchange): void {
  headers[headers.indexOf(policyName) + 1] =
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
    "base-uri 'none';frame-ancestors 'none';form-action 'none'";
}

/** @returns names and values in turn */
function chooseHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}
