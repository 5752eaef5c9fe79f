import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

const GUIDE = readFileSync(new URL('../../../docs/guides/connections.md', import.meta.url), 'utf8');

/** A curl command of the guide: its method, its path and its JSON body. */
const commands = [
  ...GUIDE.matchAll(/^ *curl (?:-X (\w+) )?http:\/\/localhost:4400(\S+)((?:.*\\\n)*.*)/gm),
].map(([, method, path = '', rest = '']) => {
  const [, body] = /-d '(.+)'/.exec(rest) ?? [];
  return { method: method ?? (body ? 'POST' : 'GET'), path, body: body && JSON.parse(body) };
});

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  application = await signIn(service);
});
afterAll(() => service.stop());

test('the commands in docs/guides/connections.md succeed', async () => {
  expect(commands.length).toBeGreaterThanOrEqual(4);
  for (const { method, path, body } of commands) {
    const { status } = await application.call(method, path, body === undefined ? {} : { body });
    expect({ method, path, isOk: status < 300 }).toEqual({ method, path, isOk: true });
  }
});
