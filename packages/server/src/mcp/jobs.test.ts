import { expect, test, vi } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { createIdempotency } from '../applications/idempotency.js';
import { createJobs } from './jobs.js';
import type { Outcome } from './outcome.js';

const WAIT_MS = 40;
const SUBJECT = { toolName: 'mail_send', connectionName: 'mail' };
const DONE: Outcome = { data: { id: 'm1' }, isWrapped: false };
const waiting = { maySee: () => true };

/** Creates job stores of several processes that share one real database, for jobs of the user ada. */
async function createProcesses() {
  const tenant = await createTenant();
  await tenant.connect('ada');
  const owner = { applicationId: tenant.applicationId, identifier: 'ada' };
  const onFault = vi.fn();
  const idempotency = createIdempotency(tenant);
  const start = (parts: object = {}) =>
    createJobs({ idempotency, random: tenant.random, onFault, waitMs: WAIT_MS, ...parts });
  const first = start();

  /** Starts a call that outlasts WAIT_MS and so becomes a job. Returns the job's id and a function that ends it. */
  async function begin() {
    const { promise: work, resolve: end } = Promise.withResolvers<Outcome>();
    const result = await first.wait(work, owner, { subject: SUBJECT });
    if (!('code' in result) || result.jobId === undefined) throw new Error('It is no job.');
    return { id: result.jobId, end };
  }
  return { ...tenant, owner, onFault, start, first, begin };
}

test('a job in another process reports progress and returns its result', async () => {
  const { begin, start, owner } = await createProcesses();
  const { id, end } = await begin();
  const progress: number[] = [];
  const other = start({ waitMs: 2000 });
  const asking = other.get(id, owner, {
    ...waiting,
    onProgress: (seconds) => {
      progress.push(seconds);
      end(DONE);
    },
  });
  expect(await asking).toEqual(DONE);
  expect(progress.length).toBeGreaterThan(0);
});

test('a request for a running job gets a response in time, in its own process and in another', async () => {
  const { begin, start, first, owner } = await createProcesses();
  const { id } = await begin();
  for (const jobs of [first, start()])
    expect(await jobs.get(id, owner, waiting)).toMatchObject({ code: 'still_running', jobId: id });
});

test.each([
  { title: 'its own process', inOther: false },
  { title: 'another process', inOther: true },
])(
  'E5: a caller without access to the subject of a job gets job_not_found in $title',
  async ({ inOther }) => {
    const { begin, start, first, owner } = await createProcesses();
    const jobs = inOther ? start() : first;
    const { id, end } = await begin();
    end(DONE);
    // Polls, because the other process reads the outcome from the database, which is written a moment later.
    if (inOther) await expect.poll(() => jobs.get(id, owner, waiting)).toEqual(DONE);
    const requests: unknown[] = [];
    const maySee = (subject: object) => requests.push(subject) < 0;
    expect(await jobs.get(id, owner, { maySee })).toMatchObject({ code: 'job_not_found' });
    expect(requests).toEqual([SUBJECT]);
    const other = { ...owner, identifier: 'bob' };
    expect(await jobs.get(id, other, waiting)).toMatchObject({ code: 'job_not_found' });
    expect(await jobs.get(id, owner, waiting)).toEqual(DONE);
  },
);

test('F5: a job result above 10 MiB is not stored, and the job is lost', async () => {
  const { begin, start, owner } = await createProcesses();
  const { id, end } = await begin();
  end({ data: 'x'.repeat(10 * 1024 * 1024), isWrapped: true });
  const other = start();
  await expect
    .poll(() => other.get(id, owner, waiting))
    .toMatchObject({
      code: 'job_lost',
      text: expect.stringContaining('larger than the maximum of 10 MiB'),
      isRetryable: false,
    });
});

test('the progress of a job grows with every notification', async () => {
  const { start, owner } = await createProcesses();
  const { promise: work, resolve: end } = Promise.withResolvers<Outcome>();
  const progress: number[] = [];
  const onProgress = (seconds: number) => {
    if (progress.push(seconds) === 2) end(DONE);
  };
  const jobs = start({ waitMs: 2000 });
  expect(await jobs.wait(work, owner, { subject: SUBJECT, onProgress })).toEqual(DONE);
  expect([...new Set(progress)].toSorted((one, other) => one - other)).toEqual(progress);
});
