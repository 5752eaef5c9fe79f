import { describe, expect, test } from 'vitest';
import { COOKIE, createConnect } from '../../test/support/create-connect.js';

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</form><form action="https://evil.example.com">',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)>',
  '<body onload=alert(1)>',
  '<iframe src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example.com">',
  '<base href="https://evil.example.com/">',
  '<link rel=stylesheet href=https://evil.example.com/x.css>',
  '<style>@import "https://evil.example.com/x.css"</style>',
  '<object data="data:text/html,x">',
  '<embed src="https://evil.example.com">',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<template><script>alert(1)</script></template>',
  '<!--<script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<scr<script>ipt>alert(1)</script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '`onmouseover=alert(1)`<x>',
];

describe('O19: of 30 script payloads', () => {
  test.each(PAYLOADS)('none is shown unescaped: %s', async (payload) => {
    const { app, createLink, createApplicationNamed } = await createNamed();
    const url = await createLink(payload);
    const query = new URLSearchParams(
      Object.fromEntries(
        ['state', 'code', 'error', 'error_description', 'iss', 'x'].map((name) => [name, payload]),
      ),
    );
    const pages = [
      await app.inject({ url: `${url}?${query}` }),
      await app.inject({ url: `/connect/${encodeURIComponent(payload)}` }),
      await app.inject({
        url: `/sso/v1/oauth/${encodeURIComponent(payload)}/callback?${query}`,
        headers: COOKIE,
      }),
      await app.inject({ url: await createApplicationNamed(payload) }),
    ];
    for (const { body } of pages) expect(body).not.toContain(payload);
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 404, 403, 200]);
  });

  async function createNamed() {
    const connect = await createConnect();
    const createApplicationNamed = async (name: string) => {
      await connect.database.updateTable('applications').set({ name }).execute();
      return connect.createLink();
    };
    return { ...connect, createApplicationNamed };
  }

  test('there are 30', () => {
    expect(new Set(PAYLOADS).size).toBe(30);
  });
});
