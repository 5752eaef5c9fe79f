import { afterAll, beforeAll, expect } from 'vitest';
import { type Application, fetchReply, type Reply, signIn } from './application.js';
import { connectAccount, type Service, startService } from './service.js';

export interface Issued {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: string;
}

interface Opened {
  readonly service: Service;
  readonly owner: Application;
  /** Account IDs: `ada` and `bob` at the connection `calendar`, and the user `ada` at the connection `video`. */
  readonly ids: Record<'ada' | 'bob' | 'video', string>;
}

export const ADA = { connectionName: 'calendar', identifier: 'ada' };
export const BOB = { connectionName: 'calendar', identifier: 'bob' };
export const LIST = 'calendar_list_calendars';
export const EVENTS = 'calendar_list_events';
export const CREATE = 'calendar_create_event';
export const EVENT = {
  summary: 'Review',
  start_datetime: '2026-12-01T09:00:00Z',
  event_duration_minutes: 30,
};

async function open(): Promise<Opened> {
  const service = await startService({ connectors: ['calendar', 'video'] });
  const [ada, bob, video] = [
    await connectAccount(service, 'calendar', 'ada'),
    await connectAccount(service, 'calendar', 'bob'),
    await connectAccount(service, 'video', 'ada'),
  ];
  return { service, owner: await signIn(service), ids: { ada: ada.id, bob: bob.id, video: video.id } };
}

/**
 * Starts a service for a test file. The application issues account tokens and agent tokens, and tests call with them.
 */
export function openTokenStage() {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.service.stop());
  const now = (): Opened => opened ?? expect.unreachable('It is open while tests run.');

  async function issue(limits: object = {}, kind: 'account' | 'agent' = 'agent'): Promise<Issued> {
    const body = { identifier: 'ada', ...(kind === 'agent' && { expiresIn: 600 }), ...limits };
    const reply = await now().owner.call('POST', `/v1/${kind}-tokens`, { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.json();
  }

  const send = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
    fetchReply(now().service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    now,
    issue,
    send,
    execute: (token: string, toolName: string, toolInput: unknown = {}, account: object = ADA) =>
      send(token, 'POST', `/v1/tools/${toolName}/execute`, { ...account, toolInput }),
    proxied: (
      token: string,
      path = '/calendar/v3/users/me/calendarList',
      method = 'GET',
      name = 'calendar/ada',
    ) => send(token, method, `/v1/proxy/${name}${path}`),
  };
}

export const codeOf = (reply: Reply) =>
  reply.json<{ error: { code: string; details?: { limit?: string; authorizationLinkPath?: string } } }>()
    .error;

export function expectRefused(reply: Reply, limit?: string): void {
  expect(reply.status, reply.text).toBe(403);
  expect(reply.headers.get('svc-error')).toBe('not_permitted');
  if (limit !== undefined) expect(codeOf(reply).details?.limit).toBe(limit);
}
