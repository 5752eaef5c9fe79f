import type { Client, ConnectedAccount } from '@svc/core';
import { notesmcp } from '@svc/notesmcp';
import { check, say } from './transcript.ts';

/**
 * Demo of the meeting notes connector: an MCP server at which the service discovered the endpoints and registered
 * itself.
 */
export async function demoNotes(svc: Client, account: ConnectedAccount): Promise<void> {
  const tools = notesmcp(svc, account);
  const { data: meetings } = await tools.listMeetings({ time_range: 'last_30_days' });
  const ids = [...meetings.text.matchAll(/<meeting id="([0-9a-f-]{36})"/g)].map((match) => match[1] ?? '');
  say('tool   listMeetings', ids);
  const { data: details } = await tools.getMeetings({ meeting_ids: ids.slice(0, 2) });
  say('tool   getMeetings', details.text.replaceAll('\n', ' '));
  const { data: answer } = await tools.queryMeetings({ query: 'What do we know about the launch?' });
  say('tool   queryMeetings', answer.text);
  check('the answer has citation marks', /\[\[0\]\]\(https:\/\/[^)]/.test(answer.text));
}
