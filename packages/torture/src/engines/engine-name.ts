/** The storage engines that a server runs on. */
export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];
