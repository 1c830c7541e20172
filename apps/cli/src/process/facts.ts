/** What a run found out that only the message of a later error needs. Who finds it sets it; only the error report reads it. */
export interface Facts {
  /** The variable that names the proxy of the requests, such as `HTTPS_PROXY`; undefined if no proxy is used. */
  proxyVariable?: string;
}
