import type { ReceivedPage } from "../state/changes-page.ts";

/** What a mirror uses of a client: a `Siteward` has it. */
export interface MirrorClient {
  /** The URL of the service. */
  readonly baseUrl: string;
  /** The websites of the account. */
  readonly websites: {
    /** Lists websites, or what changed since a cursor. */
    list(query: MirrorQuery, options: MirrorCall): MirrorList;
  };
  /** Returns a copy of the client with other options. */
  withOptions(options: MirrorClientOptions): MirrorClient;
}

/** Which websites a mirror requests. */
export interface MirrorQuery {
  /** The largest page. */
  readonly per_page: 100;
  /** Only for a list of all websites. */
  readonly sort_by?: "id";
  /** Only for a list of all websites: new ones come last. */
  readonly sort?: "asc";
  /** Where to continue in a list of all websites. */
  readonly cursor?: string;
  /** Only what changed since then. */
  readonly changed_since?: string;
}

/** How a mirror requests them. */
export interface MirrorCall {
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** Only for changes: `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only for changes, which the mirror itself requests again: 0. */
  readonly maxRetries?: number;
}

/** One page, or all pages from it. */
export interface MirrorList extends PromiseLike<ReceivedPage> {
  /** Requests page after page. */
  pages(): AsyncIterable<ReceivedPage>;
}

/** The options of a copy of the client that sends nothing, but shows what it would send. */
export interface MirrorClientOptions {
  /** A URL that leads nowhere. */
  readonly baseUrl: string;
  /** Answers without sending anything. */
  readonly fetch: (url: string, request: { readonly headers: Readonly<Record<string, string>> }) => Promise<Response>;
  /** Logs nothing. */
  readonly logLevel: "off";
  /** Retries nothing. */
  readonly maxRetries: 0;
  /** Replaces the hook of the client. */
  readonly onRequest: () => void;
  /** Replaces the hook of the client. */
  readonly onResponse: () => void;
}
