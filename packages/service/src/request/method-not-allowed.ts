import { AppError } from "../errors/app-error.ts";

/** Returns the value of `Allow` for a path with these methods. */
export function toAllow(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

/** Returns the refusal of a method that a path does not support. */
export function methodNotAllowed(method: string, allow: string): AppError {
  return new AppError("method_not_allowed", `This path does not support ${method}. Use one of: ${allow}.`, {
    facts: { allow },
  });
}
