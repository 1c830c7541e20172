export { toUnicodeDomain } from "./domain/to-unicode-domain.ts";
