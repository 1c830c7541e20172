import type { RawCases } from "../raw-case.ts";
import { bodies } from "./bodies.ts";
import { chunks } from "./chunks.ts";
import { expectations } from "./expectations.ts";
import { headers } from "./headers.ts";
import { hosts } from "./hosts.ts";
import { lengths } from "./lengths.ts";
import { pipelines } from "./pipelines.ts";
import { requestLines } from "./request-lines.ts";
import { targets } from "./targets.ts";

/** All cases, by theme. */
export const rawThemes = {
  requestLines,
  hosts,
  headers,
  lengths,
  chunks,
  bodies,
  targets,
  pipelines,
  expectations,
} as const satisfies Record<string, RawCases>;
