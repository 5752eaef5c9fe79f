import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type Answer, type Connected, connect } from '../authorized.js';

export let sandbox: Sandbox;
/** Applications that Ada and Grace approved with every scope that their tools need. */
export let ada: Connected;
export let grace: Connected;

const EVERYTHING = ['youtube.force-ssl', 'youtubepartner', 'yt-analytics.readonly'];

/** Gives every test of a file fresh data. */
export function useVideo(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['video'] });
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    await sandbox.reset();
    ada = await approved('ada');
    grace = await approved('grace');
  });
}

export const approved = (user: string, scopes: readonly string[] = EVERYTHING): Promise<Connected> =>
  connect(sandbox, 'video', {
    user,
    params: { scope: scopes.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ') },
  });

interface Sent {
  readonly as?: Connected;
  readonly body?: unknown;
}

const caller =
  (prefix: string) =>
  (
    method: string,
    resource: string,
    query: Record<string, string> = {},
    sent: Sent = {},
  ): Promise<Answer> => {
    const { as = ada, body } = sent;
    const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
    return as.call(method, `${prefix}/${resource}${search}`, body === undefined ? {} : { body });
  };

/** One call to each of the three APIs, as Ada unless said otherwise. */
export const data = caller('/youtube/v3');
export const analytics = caller('/analytics/v2');
export const reporting = caller('/reporting/v1');

export const read = (resource: string, query: Record<string, string>, as = ada): Promise<Answer> =>
  data('GET', resource, query, { as });

/** Status and reason of an error. */
export const reason = ({ status, body }: Answer) => [status, body.error.errors[0].reason];

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely in expectations
export const items = ({ body }: Answer): any[] => body.items;
export const ids = (answer: Answer): string[] => items(answer).map(({ id }) => id);

export const ADA = 'UCadaLovelace00000000000';
export const GRACE = 'UCgraceHopper00000000000';
export const CHARLES = 'UCcharlesBabbage00000000';
export const playlist = (name: string): string => `PL${name.padEnd(32, '0')}`;

/** Makes a group that holds one video, and returns its id. */
export async function engineGroup(): Promise<string> {
  const kind = 'youtube#video';
  const group = { snippet: { title: 'Engines' }, contentDetails: { itemType: kind } };
  const { id } = (await analytics('POST', 'groups', {}, { body: group })).body;
  const item = { groupId: id, resource: { kind, id: 'adaEngine01' } };
  await analytics('POST', 'groupItems', {}, { body: item });
  return id;
}
