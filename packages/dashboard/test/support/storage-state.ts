import type { Operator } from './operator.ts';

/** What the browser of somebody has kept who signed in before. */
export const storageStateOf = ({ cookie }: Operator, url: string) => ({
  cookies: [
    {
      ...cookie,
      domain: new URL(url).hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict' as const,
    },
  ],
  origins: [{ origin: url, localStorage: [{ name: 'signed-in', value: 'yes' }] }],
});
