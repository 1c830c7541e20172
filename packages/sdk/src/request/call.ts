import type { SitewardError } from "../errors/siteward-error.ts";
import type { ResolvedCallOptions } from "../options/call-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { Timing } from "../retry/timing.ts";
import type { HttpRequest } from "./build-request.ts";

/** A call that is running, with all its attempts. */
export interface Call {
  readonly client: ResolvedSitewardOptions;
  readonly timing: Timing;
  readonly options: ResolvedCallOptions;
  readonly request: HttpRequest;
  /** How many attempts were started. */
  attempts: number;
  /** The error of the last attempt on which the service may have acted. */
  uncertain: SitewardError | undefined;
}
