/**
 * Hides the user information of a URL, which can be a secret: `https://[redacted]@shop.example/`. Hides everything
 * before the last `@`, since a password can contain any character. An e-mail address has no secret and stays.
 */
export function hideUserInformation(text: string): string {
  const end = text.lastIndexOf("@");
  if (end === -1 || !text.slice(0, end).includes(":")) return text;
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0] ?? "";
  return `${scheme}[redacted]${text.slice(end)}`;
}
