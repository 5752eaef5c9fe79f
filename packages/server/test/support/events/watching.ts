import { expect, vi } from 'vitest';
import { listEverything } from '../requests/list-everything.js';
import {
  type Application,
  type CallOptions,
  type Credentials,
  type Reply,
  signInOnce,
} from '../service/application.js';

interface Watch {
  readonly id: string;
  readonly state: string;
  readonly reason?: string;
  readonly startedAt?: string;
  readonly polledAt?: string;
  readonly nextPollAt?: string;
}

interface WatchEvent {
  readonly type: string;
  readonly data: { readonly watchId?: string; readonly itemId?: string; readonly reason?: string };
}

const toSummary = ({ type, data }: WatchEvent): string =>
  type === 'watch.failed' ? `${type} ${data.reason}` : `${type.replace('watch.item_', '')} ${data.itemId}`;

const connectionOf = (toolName: string): string => toolName.split('_')[0] ?? '';

/** Creates operations on the watches of an application, for its user `ada` unless a setting names another one. */
export function createWatching(credentials: Credentials) {
  const owner = signInOnce(credentials, () => Date.now());
  const call = async (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    (await owner()).call(method, path, options);

  async function createWatch(toolName: string, toolInput: object, settings: object = {}): Promise<Watch> {
    const account = { connectionName: connectionOf(toolName), identifier: 'ada' };
    const body = { toolName, toolInput, ...account, every: 1, ...settings };
    const reply = await call('POST', '/v1/watches', { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.json<Watch>();
  }

  const get = async (id: string): Promise<Watch> => (await call('GET', `/v1/watches/${id}`)).json<Watch>();

  async function change(id: string, body: object): Promise<void> {
    const reply = await call('PATCH', `/v1/watches/${id}`, { body });
    expect(reply.status, reply.text).toBe(200);
  }

  return {
    call,
    createWatch,
    get,
    started: (id: string) => expect.poll(async () => (await get(id)).state).toBe('watching'),
    /** Waits for two polls to end, because the first may have begun before the call. */
    polled: async (id: string): Promise<void> => {
      for (let polls = 0; polls < 2; polls += 1) {
        const { polledAt } = await get(id);
        await expect.poll(async () => (await get(id)).polledAt).not.toBe(polledAt);
      }
    },
    disable: (id: string) => change(id, { enabled: false }),
    enable: (id: string) => change(id, { enabled: true }),
    remove: async (id: string): Promise<void> => {
      expect((await call('DELETE', `/v1/watches/${id}`)).status).toBe(204);
    },
    /**
     * Returns the events of a watch, oldest first, as texts of the kind and the item's id, such as `created 9k2h6s`.
     */
    reported: async (id: string): Promise<readonly string[]> => {
      const events = await listEverything<WatchEvent>((path) => call('GET', path), '/v1/events?pageSize=200');
      return events.filter(({ data }) => data.watchId === id).map(toSummary);
    },
    /** Runs a tool and returns its data. */
    run: async <Data = { readonly id: string }>(toolName: string, toolInput: object): Promise<Data> => {
      const body = { connectionName: connectionOf(toolName), identifier: 'ada', toolInput };
      const reply = await call('POST', `/v1/tools/${toolName}/execute`, { body });
      expect(reply.status, reply.text).toBe(200);
      return reply.json<{ data: Data }>().data;
    },
    /** Moves the clock of the service and of the sandbox, which the test has faked. */
    advance: async (ms: number): Promise<void> => {
      vi.setSystemTime(Date.now() + ms);
    },
  };
}

export type Watching = ReturnType<typeof createWatching>;

/** Creates a watch that does not poll, and returns its id. Default: a watch of a calendar. */
export async function createStoppedWatch(
  { call }: Pick<Application, 'call'>,
  connectedAccountId: string,
  toolName = 'calendar_list_events',
): Promise<string> {
  const body = { connectedAccountId, toolName, toolInput: {} };
  const reply = await call('POST', '/v1/watches', { body });
  expect(reply.status, reply.text).toBe(201);
  const { id } = reply.json<{ id: string }>();
  const changed = await call('PATCH', `/v1/watches/${id}`, { body: { enabled: false } });
  expect(changed.status, changed.text).toBe(200);
  return id;
}
