const BASE = 'https://www.googleapis.com/auth/';

export function scopeUrl(name: string): string {
  return BASE + name;
}

export function explainScopes(explanations: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(explanations).map(([name, text]) => [scopeUrl(name), text]);
  return {
    openid: 'Know who you are',
    [scopeUrl('userinfo.email')]: 'See your primary Google Account email address',
    ...Object.fromEntries(entries),
  };
}
