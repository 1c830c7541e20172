import { expect, test } from "vitest";
import { routeOf } from "./routes.ts";

test.each([
  ["/api/v1/websites", "/api/v1/websites"],
  ["/api/v1/websites?search=secret", "/api/v1/websites"],
  ["/api/v1/websites/secret?a=/b/c", "/api/v1/websites/{id}"],
  ["/api/v1/websites/7/secret", "_OTHER"],
  ["/api/v1/account", "/api/v1/account"],
  ["/", "/"],
  ["/docs", "/docs/{page}"],
  ["/docs/errors/not_found", "/docs/{page}"],
  ["/docsecret", "_OTHER"],
  ["/secret", "_OTHER"],
  ["", "_OTHER"],
])("the route of %s is %s", (url, route) => {
  expect(routeOf(url)).toBe(route);
});
