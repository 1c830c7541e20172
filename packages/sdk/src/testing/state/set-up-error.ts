/** Returns the error for a test that sets up the fake in a way that is not valid. */
export function setUpError(message: string): TypeError {
  return new TypeError(`createFakeSiteward: ${message}`);
}
