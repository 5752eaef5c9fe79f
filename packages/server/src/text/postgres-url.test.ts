import { expect, onTestFinished, test, vi } from 'vitest';
import { readPostgresUrl, withSessionSettings } from './postgres-url.js';

test.each([
  ['postgres://u:p@db.example:5432/svc', 'db.example:5432'],
  ['postgresql://u:p@[2001:db8::1]/svc?sslmode=require', '[2001:db8::1]'],
  ['postgres://u:p@/svc?host=/cloudsql/a:b:c', '/cloudsql/a:b:c'],
  ['postgres://u@/svc?sslmode=disable&host=%2Fvar%2Frun%2Fpostgresql', '/var/run/postgresql'],
  ['postgres:///svc?host=/tmp', '/tmp'],
  ['postgres://u:p@ignored/svc?host=db.example', 'db.example'],
])('the host of %s is read', (text, host) => {
  expect(readPostgresUrl(text)).toEqual({ host, database: 'svc' });
});

test.each([
  'postgres://u:p@/svc',
  'postgres:///svc',
  'postgres://db.example',
  'postgres://db.example/',
  'postgres://u:p@/?host=/tmp',
  'postgres:svc?host=/tmp',
  'mysql://db.example/svc',
  '',
])('%s is refused', (text) => {
  expect(readPostgresUrl(text)).toBeUndefined();
});

const optionsOf = (url: string) => new URL(url).searchParams.get('options');

test('the options of a URL or of PGOPTIONS are merged with those of the service', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = 'postgres://u:p@db.example/svc?sslmode=require&options=-c%20search_path%3Dsvc';
  const settings = ['statement_timeout = 9000', 'tcp_keepalives_idle = 10'];
  const added = '-c statement_timeout=9000 -c tcp_keepalives_idle=10';
  expect(optionsOf(withSessionSettings(url, settings))).toBe(`-c search_path=svc ${added}`);
  expect(optionsOf(withSessionSettings(url, []))).toBe('-c search_path=svc');
  expect(new URL(withSessionSettings(url, settings)).searchParams.get('sslmode')).toBe('require');
  expect(optionsOf(withSessionSettings('postgres://db.example/svc', settings))).toBe(added);
  vi.stubEnv('PGOPTIONS', '-c work_mem=8MB');
  expect(optionsOf(withSessionSettings('postgres://db.example/svc', settings))).toBe(
    `-c work_mem=8MB ${added}`,
  );
  expect(optionsOf(withSessionSettings(url, settings))).toBe(`-c search_path=svc ${added}`);
});
