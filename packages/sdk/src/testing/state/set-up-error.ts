/**
 * Returns the error for a test that sets up the fake in a way that is not valid.
 *
 * @param functionName the function that the test called, such as `failNext`
 */
export function setUpError(functionName: string, message: string): TypeError {
  return new TypeError(`${functionName}: ${message}`);
}
