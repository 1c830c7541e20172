export { canonicalizeDomain } from "./grammars/canonical-domain.ts";
export { parseDomain } from "./grammars/domain.ts";
export { toAscii } from "./grammars/to-ascii.ts";
export { toUnicodeDomain } from "./grammars/to-unicode-domain.ts";
