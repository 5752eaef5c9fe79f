import { manage } from '@svc/core';
import { expect, test } from 'vitest';
import { connectAgent, firstText, mintToken } from '../support/mcp/agent.js';
import { connectAccount, startService } from '../support/service/service.js';

const NAME = { connectionName: 'calendar', identifier: 'ada' };

test('H1: an agent that wants to delete has to wait for a person, and its call works after the approval', async ({
  onTestFinished,
}) => {
  const service = await startService({ connectors: ['calendar'] });
  onTestFinished(() => service.stop());
  await connectAccount(service, 'calendar', 'ada');
  const made = await service.svc.executeTool({
    ...NAME,
    toolName: 'calendar_create_event',
    toolInput: { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' },
  });
  const token = await mintToken(service, { identifier: 'ada', approve: 'destructive' });
  const agent = await connectAgent(service, { token, path: '/mcp/calendar' });
  onTestFinished(() => agent.close());
  const id = (made.data as { readonly id: string }).id;
  const call = (name: string) => agent.callTool({ name, arguments: { event_id: id } });
  const deletions = async () =>
    (await service.sandbox.requests('calendar')).filter(({ method }) => method === 'DELETE').length;

  expect(await call('calendar_get_event_by_id')).toMatchObject({ structuredContent: { id } });
  const waiting = await call('calendar_delete_event');
  expect(waiting).toMatchObject({
    isError: true,
    _meta: { 'svc/error': { code: 'approval_required', retryable: false } },
  });
  expect(firstText(waiting)).toMatch(/A person has to approve this call first/);
  expect(await deletions()).toBe(0);

  const { approvals } = manage(service.svc);
  const { items } = await approvals.list({ status: 'pending' });
  expect(items).toMatchObject([{ toolName: 'calendar_delete_event', identifier: 'ada' }]);
  // The agent must not see the approval link, because it could approve its own call with it.
  expect(firstText(waiting)).not.toContain(items[0]?.link);
  await approvals.decide(items[0]?.id ?? '', { decision: 'approve' });

  const [first, second] = [await call('calendar_delete_event'), await call('calendar_delete_event')];
  expect(first.isError ?? false).toBe(false);
  expect(second).toEqual(first);
  expect(await deletions()).toBe(1);
});
