const BASE = 'https://www.googleapis.com/auth/';

/** A scope by the short name that the reference gives it. */
export function scopeUrl(name: string): string {
  return BASE + name;
}

/** What a consent page says of each scope, by its URL. */
export function explainScopes(explanations: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(explanations).map(([name, text]) => [scopeUrl(name), text]);
  return { openid: 'Know who you are', ...Object.fromEntries(named) };
}
