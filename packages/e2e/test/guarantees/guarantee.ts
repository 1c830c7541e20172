import type { Service } from "@siteward/testing/services/service";

/** What a service promises, by name. Each is tried on a service with accounts of its own. */
export type Guarantees = Readonly<Record<string, (service: Service) => Promise<void>>>;

/** What only some services can do. */
export type Ability =
  /** Have several accounts behind one URL. */
  | "accounts"
  /** Read a body in gzip, deflate or Brotli. */
  | "compression"
  /** Answer bytes on a connection, which no HTTP client would send. */
  | "connections"
  /** Serve the pages outside of the API, such as those of the errors. */
  | "pages";

/** Guarantees about one subject. */
export interface Subject {
  readonly guarantees: Guarantees;
  /** What a service must be able to do. The default is what every service can. */
  readonly needs?: Ability;
  /**
   * Why each of its guarantees runs alone. All others run at the same time. On two cores, a server hashes one password at a
   * time, and refuses one that has waited for 1.5 s.
   */
  readonly runsAlone?: "it changes the clock" | "it hashes passwords";
}
