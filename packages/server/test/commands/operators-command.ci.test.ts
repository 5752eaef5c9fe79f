import { expect, test } from 'vitest';
import { command, commandJson, newSetup } from '../support/processes/command.js';
import { newPort } from '../support/processes/new-port.js';
import { startProcess } from '../support/processes/service-process.js';
import { fetchReply } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';

interface Event {
  readonly at: string;
  readonly action: string;
  readonly actor: string;
  readonly applicationId: string | null;
}

test('operators creates, lists, resets and deletes operators while the service runs, with audit events', async () => {
  const setup = await newSetup();
  const own = { port: await newPort(), clientId: 'app_test', clientSecret: 'secret-of-the-test' };
  const service = await startProcess({ ...setup, ...own });
  try {
    const { url } = service;
    const ada = await commandJson<{ name: string; password: string }>(setup, 'operators', 'create', 'Ada');
    const { call } = await signInOperator({ url, ...ada });
    expect((await call('GET', '/session')).json()).toMatchObject({ name: 'ada' });

    const reset = await command(setup, 'operators', 'reset', 'ada');
    expect(reset.stdout).toMatch(/^name +ada\npassword +([a-z2-9]{4}-){5}[a-z2-9]{4}\n\nStore the password/);
    expect((await call('GET', '/session')).status).toBe(401);
    const given = await command(setup, 'operators', 'link', 'Ada');
    const [, token] = /^link +http\S+\/dashboard\/sign-in#(\S{65})\nvalid until +20/.exec(given.stdout) ?? [];
    const byLink = await fetchReply(`${url}/operator/v1/session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(byLink.json()).toMatchObject({ name: 'ada', role: 'operator', signedInBy: 'link' });
    expect((await command(setup, 'operators', 'list')).stdout).toMatch(
      /^NAME +ROLE +CREATED +SIGNED IN\nada +operator +20\S+ +20\S+\nadmin +owner +20\S+ +never\n$/,
    );
    expect((await command(setup, 'operators', 'change', 'ada', 'reader')).stdout).toBe(
      'The operator ada now has the role reader.\n',
    );
    expect(await command(setup, 'operators', 'change', 'ada', 'king')).toMatchObject({
      code: 1,
      stderr: '"king" is not a role. Use one of reader, operator, owner.\n',
    });
    expect(await command(setup, 'operators', 'delete', 'ada')).toMatchObject({
      code: 0,
      stdout: 'The operator ada is deleted.\n',
    });
    expect(await command(setup, 'operators', 'delete', 'admin')).toMatchObject({
      code: 1,
      stderr: 'The operator "admin" is the only owner. Make another operator an owner first.\n',
    });
  } finally {
    await service.kill();
  }

  const exported = await command(setup, 'audit', 'export');
  const events: Event[] = exported.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const changes = events.filter(({ action }) => action.startsWith('operator.'));
  expect(changes.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
    'service operator.created',
    'service operator.link_created',
    'command operator.created',
    'operator:ada operator.signed_in',
    'command operator.changed',
    'command operator.link_created',
    'operator:ada operator.signed_in',
    'command operator.changed',
    'command operator.deleted',
  ]);
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort());

  const narrow = await command(
    setup,
    'audit',
    'export',
    '--application',
    'app_test',
    '--since',
    '2026-01-01',
  );
  const narrowed: Event[] = narrow.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(narrowed).toEqual(events.filter(({ applicationId }) => applicationId === 'app_test'));
  expect(narrowed.length).toBeGreaterThan(0);
  expect(await command(setup, 'audit', 'export', '--since', '2999-01-01')).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(await command(setup, 'audit', 'export', '--since', 'soon')).toMatchObject({
    code: 1,
    stderr: '"soon" is not a date or time. Use one such as 2026-11-20 or 2026-11-20T09:00:00Z.\n',
  });
});
