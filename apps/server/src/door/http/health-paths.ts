/** The paths that monitoring reads. They are answered however busy the process is. */
export const healthPaths = { alive: "/healthz", ready: "/readyz" } as const;
