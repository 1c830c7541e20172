/** What a run found out that only its later messages need. Who finds it sets it; only what prints messages reads it. */
export interface Facts {
  /** The variable that names the proxy of the requests, such as `HTTPS_PROXY`; undefined if no proxy is used. */
  proxyVariable?: string;
  /** The API key of the requests. */
  key?: UsedKey;
  /** Whether messages on stderr are JSON, one per line. */
  areMessagesJson?: () => boolean;
}

/** Where an API key comes from and goes to, for the error of a key that is refused. It does not contain the key. */
export interface UsedKey {
  /** What has the key, such as "SITEWARD_API_KEY". */
  readonly origin: string;
  /** The service that it is sent to. */
  readonly baseUrl: string;
  /** How to replace the key, as a sentence. */
  readonly remedy: string;
}
