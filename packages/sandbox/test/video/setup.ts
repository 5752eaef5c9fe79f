import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type ApiResponse, type Connected, connect } from '../authorized.js';

export let sandbox: Sandbox;
/** API clients with access tokens of Ada and Grace, which have every scope that their tools need. */
export let ada: Connected;
export let grace: Connected;

const EVERYTHING = ['youtube.force-ssl', 'youtubepartner', 'yt-analytics.readonly'];

/** Starts a video sandbox for a test file and resets its data before every test. */
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
  ): Promise<ApiResponse> => {
    const { as = ada, body } = sent;
    const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
    return as.call(method, `${prefix}/${resource}${search}`, body === undefined ? {} : { body });
  };

/** Functions that call one of the three APIs, by default as Ada. */
export const data = caller('/youtube/v3');
export const analytics = caller('/analytics/v2');
export const reporting = caller('/reporting/v1');

export const read = (resource: string, query: Record<string, string>, as = ada): Promise<ApiResponse> =>
  data('GET', resource, query, { as });

/** Returns the status and reason of an error response. */
export const reason = ({ status, body }: ApiResponse) => [status, body.error.errors[0].reason];

// biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
export const items = ({ body }: ApiResponse): any[] => body.items;
export const ids = (response: ApiResponse): string[] => items(response).map(({ id }) => id);

export const ADA = 'UCadaLovelace00000000000';
export const GRACE = 'UCgraceHopper00000000000';
export const CHARLES = 'UCcharlesBabbage00000000';
export const playlist = (name: string): string => `PL${name.padEnd(32, '0')}`;

/** Creates a group that contains one video and returns the id of the group. */
export async function engineGroup(): Promise<string> {
  const kind = 'youtube#video';
  const group = { snippet: { title: 'Engines' }, contentDetails: { itemType: kind } };
  const { id } = (await analytics('POST', 'groups', {}, { body: group })).body;
  const item = { groupId: id, resource: { kind, id: 'adaEngine01' } };
  await analytics('POST', 'groupItems', {}, { body: item });
  return id;
}

/** Builds a PNG header with this size. The pixel data is missing, because only the header is read. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(24);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

interface SentFile {
  readonly as?: Connected;
  readonly method?: 'POST' | 'PUT';
  readonly type?: string;
  readonly file: Buffer | string;
  /** Metadata of the file. Without it, the request body is only the file. */
  readonly about?: object;
  readonly headers?: Record<string, string>;
}

/** Uploads a file. `resource` is a resource name, or the URL of a resumable upload. */
export async function sendFile(
  resource: string,
  query: Record<string, string>,
  { as = ada, method = 'POST', type = 'image/png', file, about, headers = {} }: SentFile,
): Promise<ApiResponse> {
  const base = `${sandbox.upstream('video').baseUrl}/upload/youtube/v3/${resource}`;
  const uploadType = about === undefined ? 'media' : 'multipart';
  const url = resource.startsWith('http')
    ? resource
    : `${base}?${new URLSearchParams({ uploadType, ...query })}`;
  const related = [
    Buffer.from(
      `--edge\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(about)}\r\n--edge\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    Buffer.from(file),
    Buffer.from('\r\n--edge--'),
  ];
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${as.token}`,
      'content-type': about === undefined ? type : 'multipart/related; boundary=edge',
      ...headers,
    },
    body: new Uint8Array(about === undefined ? Buffer.from(file) : Buffer.concat(related)),
    redirect: 'manual',
  });
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}
