/** What a reference does for each request: the queries of the server for the same records, and nothing else. */
export interface Websites {
  readonly getOne: (id: number) => Answer;
  /** Returns the newest ten records and the total. */
  readonly listTen: () => Answer;
  /** Returns the newest ten records whose domain contains the term, and their number. The term has three characters or more. */
  readonly search: (term: string) => Answer;
  /** Stores a new website durably before it returns. */
  readonly create: (website: NewWebsite) => Answer;
  /** Changes a website durably before it returns. */
  readonly update: (id: number, change: WebsiteChange) => Answer;
}

/** The body of a response, or undefined if the record does not exist. */
type Answer = object | undefined | Promise<object | undefined>;

export interface NewWebsite {
  readonly domain: string;
  readonly exclude_ips?: readonly string[];
}

interface WebsiteChange {
  readonly exclude_params: readonly string[];
}

/** The account that owns all websites. */
export const accountId = 1;
