import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFull } from '../../../server/test/support/runner/rounds.ts';
import { seedOfRun } from '../../../server/test/support/runner/seed-of-run.ts';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type ApiResponse, type Connected, connect } from '../authorized.js';
import { checkQuery, type Query } from './check-query.js';
import { queriesOf } from './generate-queries.js';
import { type DescribedMethod, readDescription, WANTED } from './read-descriptions.js';

const scopes = (...names: string[]) => ({
  scope: names.map((name) => `https://www.googleapis.com/auth/${name}`).join(' '),
});
const VIDEO = scopes(
  ...['youtube.force-ssl', 'youtubepartner', 'yt-analytics.readonly'],
  'youtube.channel-memberships.creator',
);

const APIS = [
  { name: 'calendar', version: 'v3', connector: 'calendar', at: '/calendar/v3/', params: scopes('calendar') },
  { name: 'youtube', version: 'v3', connector: 'video', at: '/', params: VIDEO },
  { name: 'youtubeAnalytics', version: 'v2', connector: 'video', at: '/analytics/', params: VIDEO },
  { name: 'youtubereporting', version: 'v1', connector: 'video', at: '/reporting/', params: VIDEO },
].flatMap((api) => {
  const methods = readDescription(api.name, api.version);
  if (methods === undefined)
    process.stderr.write(
      `Google's description of ${api.name} is not here, nothing is compared with it: install ${WANTED}.\n`,
    );
  return methods === undefined ? [] : [{ ...api, methods }];
});

/** Parameters that Google removed after Debian's version of the API descriptions. */
const REMOVED = ['relatedToVideoId'];

/** Error reasons that an API description cannot express, such as invalid parameter combinations and page tokens. */
const BETWEEN = ['timeRangeEmpty', 'invalidPageToken', 'incompatibleParameters', 'unknownPart'];

/** Returns the parameter that a 400 response rejects on its own, or undefined. */
function refusedBy({ status, body }: ApiResponse, { parameters = {} }: DescribedMethod): string | undefined {
  if (status !== 400) return undefined;
  const { error } = body;
  const [{ reason, location } = {} as Record<string, string>] = error.errors ?? [];
  const name = location ?? error.details?.[0]?.fieldViolations?.[0]?.field;
  const isBetween = reason === 'missingRequiredParameter' && parameters[name]?.required !== true;
  return isBetween || BETWEEN.includes(reason) ? undefined : name;
}

/** Excludes the download method, whose path has any number of segments and no parameters. */
const isComparable = ({ id }: DescribedMethod) => id !== 'youtubereporting.media.download';

const path = ({ flatPath, path: own }: DescribedMethod) =>
  (flatPath ?? own).replaceAll(/\{[^}]+\}/g, 'primary');

describe.each(APIS)(
  "the sandbox accepts and refuses the same parameters as Google's description of $name",
  ({ connector, methods, at, params }) => {
    let sandbox: Sandbox;
    let ada: Connected;
    beforeAll(async () => {
      sandbox = await startSandbox({ connectors: [connector] });
      await sandbox.dials(connector, { quotaPerDay: null, quotaPerMinute: null, searchesPerDay: null });
      ada = await connect(sandbox, connector, { user: 'ada', params });
    });
    afterAll(() => sandbox.stop());

    const send = (method: DescribedMethod, query: Query) =>
      ada.call(method.httpMethod, `${at}${path(method)}?${new URLSearchParams(query)}`);

    async function compare(method: DescribedMethod, query: Query): Promise<string | undefined> {
      const problem = checkQuery(query, method);
      const response = await send(method, query);
      if ((problem === undefined) === (refusedBy(response, method) === undefined)) return undefined;
      return `${new URLSearchParams(query)}: ${problem ?? 'described'}, but ${response.status} ${JSON.stringify(response.body?.error?.message)}`;
    }

    test.each(methods.filter(isComparable))('$id', { timeout: 120_000 }, async (method) => {
      const known = { ...method, parameters: without(method.parameters ?? {}, REMOVED) };
      if ((await send(known, [])).status === 501) return;
      const runs = { numRuns: isFull ? 1000 : 3, seed: seedOfRun() };
      const differing: string[] = [];
      for (const query of fc.sample(queriesOf(known), runs))
        differing.push(...[await compare(known, query)].filter((one) => one !== undefined));
      expect(differing.slice(0, 5), `${differing.length} of ${runs.numRuns} differ`).toEqual([]);
    });
  },
);

// Vitest fails for a file without tests, so a skipped test stands in.
if (APIS.length === 0) test.skip(`comparison with Google's API descriptions needs ${WANTED}`, () => {});

const without = <Value>(fields: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
