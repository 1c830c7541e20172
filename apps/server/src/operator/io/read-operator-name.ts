/**
 * Returns the name of the operating system's user. A container can run as a user without a name. Its number then stands for it.
 *
 * @param userInfo `os.userInfo`, which throws if the user has no name
 * @param userId `process.getuid()`, or undefined on a system without numbers of users
 */
export function readOperatorName(userInfo: () => { readonly username: string }, userId: number | undefined): string {
  try {
    return userInfo().username;
  } catch {
    return userId === undefined ? "unknown" : `uid:${userId}`;
  }
}
