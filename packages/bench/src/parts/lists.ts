import { buildOperatorGet } from '../build-requests.ts';
import type { Bench, Part, Result } from '../part.ts';
import { CONNECTION, startWithSeed } from '../start-seeded.ts';
import type { Service } from '../start-service.ts';

const PASSWORD = 'the-password-of-the-bench';
const BROKEN_OF = 10;
const DAY_MS = 24 * 3_600_000;
const WARM_UP_MS = 100;
const MEASURED_MS = 700;

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly nextPageToken?: string;
}

/** Signs in as the first operator, and returns the session cookie. */
async function signIn({ url }: Service): Promise<string> {
  const response = await fetch(`${url}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password: PASSWORD }),
  });
  if (!response.ok)
    throw new Error(
      `The bench could not sign the operator in. The service responded: ${await response.text()}`,
    );
  return (response.headers.get('set-cookie') ?? '').split(';', 1).join();
}

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/**
 * Returns the URLs of the operator lists to measure: the first page of each list, and some pages in the middle of
 * lists.
 */
async function pathsOf({ url }: Service, cookie: string, applicationId: string, accounts: number) {
  const inside = `/applications/${applicationId}`;
  const read = async (path: string): Promise<Page> => {
    const response = await fetch(`${url}/operator/v1${path}`, { headers: { cookie } });
    return (await response.json()) as Page;
  };
  const middle = `user_${Math.floor(accounts / 2)}`;
  const [newest] = (await read(`${inside}/executions`)).items;
  const next = async (path: string) => {
    const joint = path.includes('?') ? '&' : '?';
    const { nextPageToken } = await read(`${path}${joint}pageSize=5`);
    return `${path}${joint}pageToken=${nextPageToken}`;
  };
  const broken = 'status=reauthorization_required';
  const halfway = `until=${daysAgo(7)}`;
  return {
    accounts: `${inside}/accounts`,
    'accounts, next page': await next(`${inside}/accounts`),
    'accounts by the start of their identifier': `${inside}/accounts?identifier=${middle}`,
    'accounts that need a new consent': `${inside}/accounts?${broken}`,
    'the same for one connection, next page': await next(
      `${inside}/accounts?${broken}&connectionName=${CONNECTION}`,
    ),
    'accounts of a status without accounts': `${inside}/accounts?status=pending_verification`,
    'accounts of one connection': `${inside}/connections/${CONNECTION}/accounts`,
    'summary before a connection is deleted': `${inside}/connections/${CONNECTION}/summary`,
    executions: `${inside}/executions`,
    'executions, a week ago': `${inside}/executions?${halfway}`,
    'failed executions, next page': await next(`${inside}/executions?failed=true`),
    'executions of a status without executions': `${inside}/executions?status=418`,
    'executions of one connection, a week ago': `${inside}/executions?connectionName=other&${halfway}`,
    'one execution': `${inside}/executions/${newest?.id}`,
    'statistics of a day': `${inside}/execution-statistics?from=${daysAgo(1)}&to=${daysAgo(0)}`,
    'statistics of two weeks': `${inside}/execution-statistics?from=${daysAgo(14)}&to=${daysAgo(0)}`,
    'audit events': '/audit-events',
    'audit events of one action': '/audit-events?action=account.deleted',
    applications: '/applications',
  };
}

async function run(bench: Bench): Promise<Result> {
  const { load, isQuick } = bench;
  const [count, executions] = isQuick ? [100, 200] : [bench.accounts, bench.executions];
  const seed = { count, executions, brokenOf: BROKEN_OF };
  const { service, settings } = await startWithSeed(bench, seed, { SVC_FIRST_OPERATOR_PASSWORD: PASSWORD });
  const cookie = await signIn(service);
  const paths = await pathsOf(service, cookie, settings.clientId, count);
  const rows = [];
  let slowest = 0;
  for (const [name, path] of Object.entries(paths)) {
    const servers = [{ port: service.port, requests: [buildOperatorGet(path, cookie)] }];
    const job = { servers, connections: 1 };
    await load({ ...job, ms: WARM_UP_MS });
    const { p50Ms, p99Ms } = await load({ ...job, ms: MEASURED_MS });
    slowest = Math.max(slowest, p99Ms);
    rows.push({ list: name, 'p50 ms': p50Ms.toFixed(2), 'p99 ms': p99Ms.toFixed(2) });
  }
  const size = `${count.toLocaleString('en')} accounts and ${executions.toLocaleString('en')} executions`;
  return { rows, figures: { 'lists.p99Ms': slowest }, notes: [`Seeded with ${size}.`] };
}

export const lists: Part = { title: "Operators' lists", run };
