import type { Service } from "@siteward/testing/services/service";

/** What a service promises, by name. Each is tried on a service with accounts of its own. */
export type Guarantees = Readonly<Record<string, (service: Service) => Promise<void>>>;

/** Guarantees about one subject. */
export interface Subject {
  readonly guarantees: Guarantees;
  /**
   * Why each of its guarantees runs alone. All others run at the same time. On two cores, a server hashes one password at a
   * time, and refuses one that has waited for 1.5 s.
   */
  readonly runsAlone?: "it changes the clock" | "it hashes passwords";
}
