import { expect, test } from 'vitest';
import { type Access, keepsSecret, typedOf, wishOf } from './access.ts';

const limits = { approve: 'destructive', tools: ['calendar_list_events'] } as const;
const ofApplication = {
  signInUrl: 'https://app.example.com/in',
  registration: true,
  limits,
} as unknown as Access;
const ofIssuer = {
  openId: {
    issuer: 'https://issuer.example',
    clientId: 'desk',
    hasClientSecret: true,
    claim: 'email',
    scopes: ['openid', 'email'],
  },
  registration: false,
  limits,
} as unknown as Access;

test.each([
  { title: 'the application signs in', access: ofApplication, wish: ofApplication },
  {
    title: 'an issuer signs in, whose secret nobody was told',
    access: ofIssuer,
    wish: {
      ...ofIssuer,
      openId: {
        issuer: 'https://issuer.example',
        clientId: 'desk',
        claim: 'email',
        scopes: ['openid', 'email'],
      },
    },
  },
])('what was not changed is sent as it came, the limits too: $title', ({ access, wish }) => {
  expect(wishOf(typedOf(access), access)).toEqual(wish);
});

test('a first setting is that of the way alone that was chosen', () => {
  const typed = {
    ...typedOf(null),
    signInUrl: 'https://app.example.com/in',
    issuer: ' https://issuer.example ',
    clientId: 'desk',
    clientSecret: ' with spaces ',
  };
  expect(wishOf(typed, null)).toEqual({
    signInUrl: 'https://app.example.com/in',
    registration: false,
    limits: {},
  });
  expect(wishOf({ ...typed, way: 'openId', scopes: ' openid  email ' }, null)).toEqual({
    openId: {
      issuer: 'https://issuer.example',
      clientId: 'desk',
      clientSecret: ' with spaces ',
      claim: 'sub',
      scopes: ['openid', 'email'],
    },
    registration: false,
    limits: {},
  });
});

test.each([
  { title: 'for the same client', change: {}, isKept: true },
  { title: 'not for another issuer', change: { issuer: 'https://other.example' }, isKept: false },
  { title: 'not for another client', change: { clientId: 'other' }, isKept: false },
])('a stored secret is kept $title', ({ change, isKept }) => {
  expect(keepsSecret({ ...typedOf(ofIssuer), ...change }, ofIssuer)).toBe(isKept);
});
