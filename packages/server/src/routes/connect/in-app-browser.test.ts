import { describe, expect, test } from 'vitest';
import { COOKIE, createConnect, textOf } from '../../../test/support/service/create-connect.js';
import { CONNECTORS } from '../../../test/support/service/create-tenant.js';
import { isInAppBrowser } from './in-app-browser.js';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBVIEW = ANDROID.replace('Pixel 9', 'Pixel 9; wv');

const IN_APP = [
  { app: 'Facebook on iOS', agent: `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/512.0]` },
  { app: 'Instagram on iOS', agent: `${IPHONE} Mobile/15E148 Instagram 380.0` },
  {
    app: 'Instagram on Android',
    agent: `${WEBVIEW} Version/4.0 Chrome/138.0 Mobile Safari/537.36 Instagram 380.0`,
  },
  { app: 'LinkedIn', agent: `${IPHONE} Mobile/15E148 [LinkedInApp]` },
  { app: 'WeChat', agent: `${ANDROID} Chrome/138.0 Mobile Safari/537.36 MicroMessenger/8.0` },
  { app: 'TikTok', agent: `${IPHONE} Mobile/15E148 musical_ly_40.0 BytedanceWebview/d8a21c6` },
  { app: 'Snapchat', agent: `${IPHONE} Mobile/15E148 Snapchat/13.0` },
  { app: 'LINE', agent: `${IPHONE} Mobile/15E148 Safari Line/15.0` },
  {
    app: 'any app with a WebView on Android',
    agent: `${WEBVIEW} Version/4.0 Chrome/138.0 Mobile Safari/537.36`,
  },
  { app: 'any app with a web view on iOS', agent: `${IPHONE} Mobile/15E148` },
];

const BROWSERS = [
  { browser: 'Safari on iOS', agent: `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1` },
  { browser: 'Chrome on iOS', agent: `${IPHONE} CriOS/138.0 Mobile/15E148 Safari/604.1` },
  { browser: 'Chrome on Android', agent: `${ANDROID} Chrome/138.0 Mobile Safari/537.36` },
  { browser: 'Firefox', agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  { browser: 'a browser without a User-Agent', agent: '' },
];

test.each(IN_APP)('recognizes the browser inside $app', ({ agent }) => {
  expect(isInAppBrowser(agent)).toBe(true);
});

test.each(BROWSERS)('does not take $browser for a browser inside an app', ({ agent }) => {
  expect(isInAppBrowser(agent)).toBe(false);
});

describe('the connect page inside an app', () => {
  const mail = CONNECTORS.get('mail');
  async function openIn(agent: string, refusesInAppBrowsers: boolean, language = 'en') {
    if (mail?.auth.type !== 'oauth2') throw new Error('The connector mail has no OAuth.');
    const connector = { ...mail, auth: { ...mail.auth, refusesInAppBrowsers } };
    const connectors = new Map([...CONNECTORS, ['mail', connector]]);
    const { createLink, open } = await createConnect({ parts: { connectors } });
    const link = await createLink();
    const headers = { ...COOKIE, 'user-agent': agent, 'accept-language': language };
    return { link, body: (await open(link, headers)).body };
  }

  test.each([
    { language: 'en', text: 'Open this page in your browser' },
    { language: 'de', text: 'Öffnen Sie diese Seite in Ihrem Browser' },
  ])('has the link to copy if the upstream refuses such browsers: $language', async ({ language, text }) => {
    const { link, body } = await openIn(IN_APP[0]?.agent ?? '', true, language);
    expect(textOf(body)).toContain(text);
    expect(body).toContain(`<pre class="address" dir="ltr">https://svc.example.com${link}</pre>`);
  });

  test.each([
    { title: 'the upstream accepts such browsers', agent: IN_APP[0]?.agent ?? '', refuses: false },
    { title: 'the browser is no such browser', agent: BROWSERS[0]?.agent ?? '', refuses: true },
  ])('says nothing about browsers if $title', async ({ agent, refuses }) => {
    const { body } = await openIn(agent, refuses);
    expect(body).not.toContain('class="address"');
    expect(body).toContain('<button name="decision" value="allow">');
  });
});
