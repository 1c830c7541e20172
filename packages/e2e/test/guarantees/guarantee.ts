import type { Service } from "../support/service/service.ts";

/** What a service promises, by name. Each is tried on a service with accounts of its own. */
export type Guarantees = Readonly<Record<string, (service: Service) => Promise<void>>>;
