import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MADE_SINCE } from './made-since.js';

/** Parameter of a method in an API description. */
export interface Described {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly location: 'query' | 'path';
  readonly required?: boolean;
  readonly repeated?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: string;
  readonly maximum?: string;
  readonly format?: string;
}

/** Method in an API description. */
export interface DescribedMethod {
  /** Method id, such as `calendar.events.list`. */
  readonly id: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly flatPath?: string;
  readonly parameters?: Readonly<Record<string, Described>>;
  /** Upload settings of a method that accepts a file. */
  readonly mediaUpload?: object;
}

/** Locations of the API descriptions in Debian packages: JSON documents, or comments in the Go client. */
const DOCUMENTS =
  process.env['SVC_TEST_DESCRIPTIONS'] ??
  '/usr/lib/python3/dist-packages/googleapiclient/discovery_cache/documents';
const GO_CLIENT = '/usr/share/gocode/src/google.golang.org/api';

export const WANTED = 'golang-google-api-dev, or python3-googleapi of 2.0 or later';

const TEXT: Described = { type: 'string', location: 'query' };
const EVENT_TYPES = ['birthday', 'default', 'focusTime', 'fromGmail', 'outOfOffice', 'workingLocation'];
const PLACEMENTS = ['videoPaidProductPlacementUnspecified', 'any', 'true'];
const LABELS = {
  eventLabelVersion: { type: 'integer', location: 'query', minimum: '0', maximum: '1' },
} as const;

/** Parameters that Google's TypeScript types contain but older API descriptions lack. */
const SINCE: Readonly<Record<string, DescribedMethod['parameters']>> = {
  'calendar.calendarList.list': { showOwnOrganizationOnly: { type: 'boolean', location: 'query' } },
  'calendar.events.import': LABELS,
  'calendar.events.insert': LABELS,
  'calendar.events.list': { eventTypes: { ...TEXT, repeated: true, enum: EVENT_TYPES } },
  'calendar.events.patch': LABELS,
  'calendar.events.update': LABELS,
  'youtube.channels.list': { forHandle: TEXT },
  'youtube.commentThreads.list': { postId: TEXT },
  'youtube.search.list': { videoPaidProductPlacement: { ...TEXT, enum: PLACEMENTS } },
};

/** Returns the methods of an API. Returns undefined if no installed package describes the API. */
export function readDescription(name: string, version: string): DescribedMethod[] | undefined {
  const own = readOwn(name, version)?.map((method) => ({
    ...method,
    parameters: { ...SINCE[method.id], ...method.parameters },
  }));
  const more = MADE_SINCE[name]?.filter(({ id }) => !own?.some((method) => method.id === id)) ?? [];
  return own === undefined ? undefined : [...own, ...more];
}

function readOwn(name: string, version: string): DescribedMethod[] | undefined {
  const document = path.join(DOCUMENTS, `${name}.${version}.json`);
  if (existsSync(document)) return methodsWithin(JSON.parse(readFileSync(document, 'utf8')));
  const folder = name.toLowerCase();
  const client = path.join(GO_CLIENT, folder, version, `${folder}-gen.go`);
  return existsSync(client) ? methodsInComments(readFileSync(client, 'utf8')) : undefined;
}

interface Resource {
  readonly methods?: Readonly<Record<string, DescribedMethod>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}

function methodsWithin({ methods = {}, resources = {} }: Resource): DescribedMethod[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsWithin)];
}

// Parses the method descriptions in the generated Go client. Each method ends with its description as a JSON comment.
function methodsInComments(source: string): DescribedMethod[] {
  return source
    .split('\n\t// {\n')
    .slice(1)
    .map((after) => {
      const lines = after.slice(0, after.indexOf('\n\t// }')).split('\n');
      return JSON.parse(`{${lines.map((line) => line.replace('\t// ', '')).join('\n')}}`);
    });
}
