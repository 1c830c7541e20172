// Generated from package.json by `pnpm generate` and `pnpm version-packages`; do not edit.

/** The version of this package, and of the interface in the OpenAPI document. */
export const version = "0.0.0";
