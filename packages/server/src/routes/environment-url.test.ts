import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createConnect } from '../../test/support/service/create-connect.js';
import { createSessionCookie } from './operator/operator-cookies.js';
import { checkOrigin } from './operator/require-operator.js';

const SPELLINGS = [
  { environmentUrl: 'https://svc.example.com', isSecure: true },
  { environmentUrl: 'HTTPS://svc.example.com', isSecure: true },
  { environmentUrl: 'hTTps://SVC.example.com:443', isSecure: true },
  { environmentUrl: 'https://svc.example.com/agents', isSecure: true },
  { environmentUrl: 'http://localhost:4400', isSecure: false },
  { environmentUrl: 'HTTP://https.example.com', isSecure: false },
  { environmentUrl: 'http://https:4400', isSecure: false },
];

const isBound = (name: string, setCookie: string) =>
  setCookie.startsWith(`__Host-${name}=`) &&
  /; Secure(;|$)/.test(setCookie) &&
  /; Path=\/(;|$)/.test(setCookie);

test.each(SPELLINGS)(
  'D1: the session cookie of $environmentUrl is bound to its host: $isSecure',
  async (given) => {
    const app = fastify();
    await app.register(cookie);
    app.get('/', async (_, reply) => {
      createSessionCookie(given.environmentUrl).set(reply, 's'.repeat(43));
    });
    const setCookie = String((await app.inject('/')).headers['set-cookie']);
    expect(isBound('svc-session', setCookie)).toBe(given.isSecure);
    expect(/; Secure/.test(setCookie)).toBe(given.isSecure);
  },
);

// Tests only two spellings of the public URL, because each test needs its own database.
test.each(SPELLINGS.filter(({ environmentUrl }) => /^HTTPS?:/.test(environmentUrl)))(
  'O2: the browser cookie of $environmentUrl is bound to its host: $isSecure',
  async (given) => {
    const { environmentUrl } = given;
    const { app, links, applicationId } = await createConnect({ environmentUrl });
    const { link } = await links.create(applicationId, { connectionName: 'mail', identifier: 'ada' });
    const reply = await app.inject(link.slice(link.indexOf('/connect/')));
    expect(isBound('svc-browser', String(reply.headers['set-cookie']))).toBe(given.isSecure);
  },
);

const OWN = ['https://svc.example.com', 'HTTPS://SVC.example.com:443', 'https://svc.example.com/agents'];
const isTaken = (environmentUrl: string, origin: string | undefined): boolean => {
  const headers = origin === undefined ? {} : { origin };
  try {
    checkOrigin({ headers }, environmentUrl);
    return true;
  } catch {
    return false;
  }
};

test.each(OWN)('D1: only the own origin may call: %s', (environmentUrl) => {
  expect(isTaken(environmentUrl, 'https://svc.example.com')).toBe(true);
  for (const origin of [
    'http://svc.example.com',
    'https://svc.example.com:8443',
    'https://svc.example.com.evil.example',
    'https://evil.example/https://svc.example.com',
    'https://svc.example.com@evil.example',
    'https://agents.svc.example.com',
    'https://svc.example.com/',
    'null',
    '',
    undefined,
  ]) {
    expect({ origin, isTaken: isTaken(environmentUrl, origin) }).toEqual({ origin, isTaken: false });
  }
});
