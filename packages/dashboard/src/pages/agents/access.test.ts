import { expect, test } from 'vitest';
import { type Access, reusesSecret, settingsOf, typedOf } from './access.ts';

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
  { title: 'sign-in by the application', access: ofApplication, sent: ofApplication },
  {
    title: 'sign-in by an issuer, without its stored secret',
    access: ofIssuer,
    sent: {
      ...ofIssuer,
      openId: {
        issuer: 'https://issuer.example',
        clientId: 'desk',
        claim: 'email',
        scopes: ['openid', 'email'],
      },
    },
  },
])('unchanged settings and limits are sent unchanged: $title', ({ access, sent }) => {
  expect(settingsOf(typedOf(access), access)).toEqual(sent);
});

test('only the settings of the chosen sign-in method are sent', () => {
  const typed = {
    ...typedOf(null),
    signInUrl: 'https://app.example.com/in',
    issuer: ' https://issuer.example ',
    clientId: 'desk',
    clientSecret: ' with spaces ',
  };
  expect(settingsOf(typed, null)).toEqual({
    signInUrl: 'https://app.example.com/in',
    registration: false,
    limits: {},
  });
  expect(settingsOf({ ...typed, method: 'openId', scopes: ' openid  email ' }, null)).toEqual({
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
  { title: 'is reused for the same client', change: {}, isReused: true },
  { title: 'is not reused for another issuer', change: { issuer: 'https://other.example' }, isReused: false },
  { title: 'is not reused for another client', change: { clientId: 'other' }, isReused: false },
])('a stored secret $title', ({ change, isReused }) => {
  expect(reusesSecret({ ...typedOf(ofIssuer), ...change }, ofIssuer)).toBe(isReused);
});
