import { isJsonObject, loadCatalog, type Tool } from '@svc/catalog';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FakeTool } from '../src/fake-tool.js';
import { type FakeService, fakeService } from '../src/index.js';
import { fakeName } from './support/write-examples.js';

// Fixes the date, because some examples must obey rules about time, such as dates in the past.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') }));
afterAll(() => void vi.useRealTimers());

const service = fakeService({ environmentUrl: 'http://every-tool.test' });
afterAll(() => service.stop());

const isFull = process.env['SVC_TEST_FULL'] === '1';
const { tools } = loadCatalog();
const cases = [...tools.values()]
  .map((tool) => ({ name: tool.name, tool, example: tool.examples[0] }))
  // Quick runs check only every twelfth tool, because compiling all inputs and outputs takes seconds.
  .filter((_, index) => isFull || index % 12 === 0);
/** Tools whose upstream documents an object without any known field, so no data is wrong. */
const FREE: readonly string[] = ['convintel_webhook_sample_get'];

const user = { connectionName: 'any', identifier: 'user_42' };

/** Returns the fake of a tool, as a test without types accesses it. */
function fakeOf(tool: Tool): FakeTool<unknown, unknown> {
  const [connector = '', method = ''] = fakeName(tool).split('.');
  const fakes: Record<string, Record<string, FakeTool<unknown, unknown>>> = service.fake;
  const fake = fakes[connector]?.[method];
  if (fake === undefined) throw new Error(`There is no fake.${fakeName(tool)}.`);
  return fake;
}

function endOf({ stop }: FakeService): string {
  try {
    stop();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** Returns copies of the data, each with one part replaced by a wrong value. */
function broken(data: unknown): readonly unknown[] {
  const wrong = [[{}]];
  if (Array.isArray(data)) return [[wrong]];
  return isJsonObject(data) ? Object.keys(data).map((name) => ({ ...data, [name]: wrong })) : [wrong];
}

const refuses = (fake: FakeTool<unknown, unknown>, reply: unknown): boolean => {
  try {
    fake.replies(reply);
    return false;
  } catch (error) {
    return (
      error instanceof TypeError &&
      /^The planned reply of fake\.\w+\.\w+ does not match its output schema. Correct the reply: .+\.$/.test(
        error.message,
      )
    );
  }
};

describe.each(cases)('$name', ({ name, tool, example }) => {
  const fake = fakeOf(tool);
  const toolInput = example?.input ?? {};
  const execute = () => service.client.executeTool({ ...user, toolName: name, toolInput });

  test('returns its example', async () => {
    const { data } = await execute();
    const page = tool.versions.find(({ paging }) => paging)?.paging;
    // A tool without pages returns the data of its example, or otherwise the response unchanged.
    if (page === undefined) expect(data).toEqual(example?.data ?? example?.reply ?? data);
    else expect(data).toMatchObject({ [page.items]: expect.arrayContaining([expect.anything()]) });
    expect(fake.calls).toMatchObject([{ input: toolInput, ...user }]);
  });

  test('accepts the example data as a reply and refuses invalid data', async () => {
    const { data } = await execute();
    fake.replies(data);
    expect((await execute()).data).toEqual(data);
    expect(refuses(fake, 42)).toBe(true);
    expect(broken(data).some((reply) => refuses(fake, reply))).toBe(!FREE.includes(name));
  });
});

test('every tool refuses an invalid call, and stop() reports each of them', async () => {
  const refusing = fakeService({ environmentUrl: 'http://refusing.test' });
  for (const { name, example } of cases) {
    const call = { ...user, toolName: name, toolInput: { ...example?.input, unheard_of: 1 } };
    await expect(refusing.client.executeTool(call)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const reports = cases.map(() =>
    expect.stringMatching(/^The call of fake\.\w+\.\w+ has an invalid input. Correct it: .*"unheard_of"/),
  );
  expect(endOf(refusing).split('\n')).toEqual(reports);
});
