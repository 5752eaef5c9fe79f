import { expect, test } from 'vitest';
import { banner } from './banner.js';

const STARTED = {
  version: '1.4.0',
  command: 'svc-server',
  environmentUrl: 'http://localhost:4400',
  clientId: 'app_1',
  refused: [],
  doubtful: [],
};

test('the banner contains the secrets of a first start on a terminal', () => {
  const text = banner({
    ...STARTED,
    clientSecret: 'svc_sk_hush',
    operator: { name: 'admin', password: 'hush-hush', isGiven: false },
  });
  expect(text).toContain('\nThe agent connector service 1.4.0 is ready on http://localhost:4400\n');
  expect(text).toContain('\n  SVC_CLIENT_ID=app_1\n  SVC_CLIENT_SECRET=svc_sk_hush\n');
  expect(text).toContain('\nStore the client secret now. It is not shown again.\n');
  expect(text).toContain('\nOperator: admin, with the password hush-hush (not shown again)\n');
});

test('the banner contains the sign-in link or the file with it', () => {
  const link = 'http://localhost:4400/dashboard/sign-in#token';
  expect(banner({ ...STARTED, signIn: { name: 'admin', link } })).toContain(
    `\nSign in as admin, once and within 15 minutes: ${link}\n`,
  );
  expect(banner({ ...STARTED, signIn: { name: 'admin', file: '/data/sign-in-link' } })).toContain(
    '15 minutes: the link is in /data/sign-in-link, which only this user can read\n',
  );
});

test('the banner names the file with the first secrets', () => {
  const text = banner({
    ...STARTED,
    secretsFile: '/data/first-secrets',
    operator: { name: 'admin', isGiven: false },
  });
  expect(text).toContain(
    'are in /data/first-secrets, readable by this user only. Copy them to a safe place and delete the file.\n',
  );
  expect(text).toContain('\nOperator: admin, with the password in that file\n');
});

test('the banner names the source of given or earlier secrets', () => {
  const text = banner({ ...STARTED, operator: { name: 'admin', isGiven: true } });
  expect(text).toContain('with the password of SVC_FIRST_OPERATOR_PASSWORD\n');
  expect(text).toContain('only once. `svc-server apps secrets add app_1` creates another client secret.\n');
});

test('the banner names the file of an earlier start, the command of a clone and another port', () => {
  const text = banner({
    ...STARTED,
    command: 'npm run svc --',
    earlierSecretsFile: '/data/first-secrets',
    listensOn: '127.0.0.1:4600',
  });
  expect(text).toContain(
    '\nThe secrets of the first start are in /data/first-secrets. `npm run svc -- apps secrets add app_1` creates',
  );
  expect(text).toContain('\nThe process listens on 127.0.0.1:4600\n');
});

test('the banner lists what production would refuse and its warnings, if any', () => {
  expect(banner(STARTED)).not.toMatch(/SVC_PRODUCTION|Look at/);
  const text = banner({ ...STARTED, refused: ['One.', 'Two.'], doubtful: ['Three.'] });
  expect(text).toMatch(
    /SVC_PRODUCTION=1, fix:\n\n {2}- One\.\n {2}- Two\.\n\nCheck these settings:\n\n {2}- Three\.\n$/,
  );
});
