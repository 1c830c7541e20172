import { hash } from "node:crypto";

/** 22 characters contain 132 bits. */
const digestLength = 22;

/** Returns a weak entity tag that is the same only for the same state. */
export function weakTag(state: string): string {
  return `W/"${hash("sha256", state, "base64url").slice(0, digestLength)}"`;
}
