/** What of a site of another service becomes a website, and what does not. */
interface Conversion {
  /** The fields of an entry. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields of the site that have a value and no place in a website. */
  readonly dropped: readonly string[];
  /** Values that no website can have, each with its field. */
  readonly droppedValues: readonly string[];
}

/** How the sites of another service are read. */
export interface Importer {
  /** The name of the service, such as "Matomo". */
  readonly service: string;
  /** Fields that sites of this service have and most lists of people do not. A file with two of them is recognized. */
  readonly ownFields: readonly string[];
  /** Returns the sites in what its API answers with; undefined if this is not such an answer. */
  readonly findSites: (answer: unknown) => readonly unknown[] | undefined;
  /** Whether the answer is one page of a longer list; undefined if the service has no pages. */
  readonly hasOtherPages?: (answer: unknown) => boolean;
  /** Converts one site: an object of its API, or a record of a CSV file. */
  readonly convert: (site: Readonly<Record<string, unknown>>) => Conversion;
}
