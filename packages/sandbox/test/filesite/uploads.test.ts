import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../authorized.js';
import { DRIVE, get, open, put, reason, sandbox, UNIT, useFilesite } from './setup.js';

useFilesite();

interface Range {
  readonly from: number;
  readonly length: number;
  readonly total: number;
  readonly headers?: Record<string, string>;
}

/** Uploads a range of zero bytes to an upload session. */
async function send(url: string, { from, length, total, headers = {} }: Range): Promise<ApiResponse> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-range': `bytes ${from}-${from + length - 1}/${total}`, ...headers },
    body: new Uint8Array(length),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const statusOf = async (url: string) => (await fetch(url)).json();
const TOTAL = 2 * UNIT + 5;

async function openUrl(name = 'large.bin', item: object = {}): Promise<string> {
  return (await open(name, { item })).body.uploadUrl;
}

describe('an upload session', () => {
  test('accepts ranges in order and creates the file with the last one', async () => {
    const url = await openUrl();
    const first = await send(url, { from: 0, length: UNIT, total: TOTAL });
    expect([first.status, first.body.nextExpectedRanges]).toEqual([202, [`${UNIT}-`]]);
    expect(await statusOf(url)).toMatchObject({ nextExpectedRanges: [`${UNIT}-`] });
    await send(url, { from: UNIT, length: UNIT, total: TOTAL });
    const last = await send(url, { from: 2 * UNIT, length: 5, total: TOTAL });
    expect([last.status, last.body.size]).toEqual([201, TOTAL]);
    expect((await get(`${DRIVE}/root:/large.bin`)).body.size).toBe(TOTAL);
    expect((await fetch(url)).status).toBe(404);
  });

  test.each([
    {
      title: 'was already received',
      range: { from: 0, length: UNIT, total: TOTAL },
      expected: [416, 'invalidRange'],
    },
    {
      title: 'leaves a gap',
      range: { from: 2 * UNIT, length: 5, total: TOTAL },
      expected: [416, 'invalidRange'],
    },
    {
      title: 'is not a multiple of the unit',
      range: { from: UNIT, length: 7, total: TOTAL },
      expected: [400, 'invalidRequest'],
    },
    {
      title: 'has another total',
      range: { from: UNIT, length: UNIT, total: TOTAL + 1 },
      expected: [400, 'invalidRequest'],
    },
    {
      title: 'contains a token',
      range: { from: UNIT, length: UNIT, total: TOTAL, headers: { authorization: 'Bearer any' } },
      expected: [401, 'unauthenticated'],
    },
  ])('refuses a range that $title', async ({ range, expected }) => {
    const url = await openUrl();
    await send(url, { from: 0, length: UNIT, total: TOTAL });
    expect(reason(await send(url, range))).toEqual(expected);
    expect(await statusOf(url)).toMatchObject({ nextExpectedRanges: [`${UNIT}-`] });
  });

  test('can be cancelled', async () => {
    const url = await openUrl();
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(url)).status).toBe(404);
  });

  test('expires after a day', async () => {
    const url = await openUrl();
    await sandbox.clock.advance(25 * 3600 * 1000);
    expect((await fetch(url)).status).toBe(404);
  });

  test('creates the file only after a POST if deferCommit is set', async () => {
    const url = (await open('late.bin', { deferCommit: true })).body.uploadUrl;
    expect((await send(url, { from: 0, length: 5, total: 5 })).status).toBe(202);
    expect((await get(`${DRIVE}/root:/late.bin`)).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(201);
    expect((await get(`${DRIVE}/root:/late.bin`)).body.size).toBe(5);
  });

  test.each([
    { behavior: undefined, expected: [409, undefined] },
    { behavior: 'fail', expected: [409, undefined] },
    { behavior: 'rename', expected: [201, 'taken 1.bin'] },
    { behavior: 'replace', expected: [200, 'taken.bin'] },
  ])('uses the conflict behavior $behavior if the name is taken', async ({ behavior, expected }) => {
    await put('taken.bin', 'x');
    const item = behavior === undefined ? {} : { '@microsoft.graph.conflictBehavior': behavior };
    const opened = await open('taken.bin', { item });
    const { status, body } =
      opened.status === 200 ? await send(opened.body.uploadUrl, { from: 0, length: 5, total: 5 }) : opened;
    expect([status, body.name]).toEqual(expected);
  });

  test.each([
    { title: 'an unknown property', body: { conflictBehavior: 'fail' }, expected: [400, 'invalidRequest'] },
    {
      title: 'an unknown property of the item',
      body: { item: { size: 5 } },
      expected: [400, 'invalidRequest'],
    },
    {
      title: 'a name that differs from the path',
      body: { item: { name: 'b.bin' } },
      expected: [400, 'invalidRequest'],
    },
    {
      title: 'a size above the quota',
      body: { item: { fileSize: 2 * 1024 ** 4 } },
      expected: [507, 'quotaLimitReached'],
    },
  ])('is refused with $title', async ({ body, expected }) => {
    expect(reason(await open('a.bin', body))).toEqual(expected);
  });
});
