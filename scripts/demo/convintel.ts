import { convintel } from '@svc/convintel';
import type { Client, ConnectedAccount } from '@svc/core';
import type { Sandbox } from '@svc/sandbox';
import { check, say } from './transcript.ts';

/** Formats a time as UTC in the format of the conversation intelligence upstream: `YYYY-MM-DD HH:MM:SS`. */
const stamp = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Demo of the conversation intelligence connector, which uses a token of the user's organization. */
export async function demoConvintel(svc: Client, account: ConnectedAccount, sandbox: Sandbox): Promise<void> {
  const tools = convintel(svc, account);
  const { data: organization } = await tools.organizationGet();
  say('tool   organizationGet', organization.name);
  const { data: users } = await tools.usersList();
  say(
    'tool   usersList',
    users.data.map(({ name }) => name),
  );

  const now = await sandbox.clock.now();
  const range = { fromDate: stamp(now - 90 * 86_400_000), toDate: stamp(now - 60_000) };
  const { data: activities } = await tools.activitiesList(range);
  const activityId = activities.results[0]?.id ?? '';
  say('tool   activitiesList of 90 days', activities.results.length);
  const { data: transcript } = await tools.transcriptGet({ activityId });
  say('tool   transcriptGet', transcript);
  const { data: summary } = await tools.summaryGet({ activityId });
  say('tool   summaryGet', summary);

  const { data: webhook } = await tools.webhookCreate({
    trigger: 'conversation_processed',
    url: 'https://app.example.com/hooks/4f1c9d',
  });
  await tools.webhookDelete({ id: webhook.id });
  check('a webhook was created and deleted', webhook.url === 'https://app.example.com/hooks/4f1c9d');
}
