import { hash } from "node:crypto";
import type { Digest } from "@siteward/service";

/** Returns the SHA-256 of a text. */
export const digest: Digest = (text) => hash("sha256", text, "base64url");
