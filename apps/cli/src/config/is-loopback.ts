/** Whether a host of a URL is this machine, so that what is sent to it never leaves the machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
