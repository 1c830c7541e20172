import type { Service } from "@siteward/testing/services/service";
import type { Caller } from "./caller.ts";

/** What a service promises, by name. Each is tried by a caller with a new account, and can create other accounts of the service. */
export type Guarantees = Readonly<Record<string, (caller: Caller, service: Service) => Promise<void>>>;

/** Guarantees about one subject. */
export interface Subject {
  readonly guarantees: Guarantees;
  /** The same code answers on every engine, so SQLite and memory show it. */
  readonly anyEngine?: true;
  /**
   * Why each of its guarantees runs alone. All others run at the same time. On two cores, a server hashes one password at a
   * time, and refuses one that has waited for 5 s.
   */
  readonly runsAlone?: "it changes the clock" | "it hashes passwords";
}
