import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * Answers are data or plain pages: nothing in them may run, be framed, be guessed to be another type, or be read by
 * another site (OWASP ASVS 5.0, 3.4). Headers for browsers that are no longer kept are left out.
 */
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
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});
