/**
 * The pages of all commands, each as JSON, since a run reads one of them. The build replaces this file, so that help needs no
 * command to be loaded.
 */
export const builtPages: Readonly<Record<string, string>> = {};
