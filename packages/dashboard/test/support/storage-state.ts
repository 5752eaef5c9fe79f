import type { Operator } from './operator.ts';

/** The browser storage of a signed-in operator. */
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
