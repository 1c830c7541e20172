import type { HelpPages } from "./help-page.ts";

/** The pages of all commands. The build replaces this file, so that help needs no command to be loaded. */
export const builtPages: HelpPages = {};
