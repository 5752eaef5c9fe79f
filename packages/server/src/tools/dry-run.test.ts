import { expect, test } from 'vitest';
import { type SampleOptions, setUp } from '../../test/support/tools/sample-tools.js';
import { ServiceError } from '../errors.js';

type Custom = NonNullable<SampleOptions['handler']>;

const READ = { method: 'GET', path: '/v1/it' } as const;
const write = (body: unknown) => ({ method: 'POST', path: '/v1/it', body }) as const;

interface Case {
  readonly title: string;
  readonly handler: Custom;
  /**
   * Upstream requests that the dry run must report, in order. A write is represented by its body. A read is represented
   * by `read` if the dry run sent the request, otherwise by `planned`.
   */
  readonly reported: readonly unknown[];
  readonly isComplete: boolean;
}

const CASES: readonly Case[] = [
  {
    title: 'one after the other without using a response',
    handler: async (_, send) => [await send(write(1)), await send(write(2))],
    reported: [1, 2],
    isComplete: true,
  },
  {
    title: 'in parallel, with a use of their responses',
    handler: async (_, send) => {
      const responses = await Promise.all([send(write(1)), send(write(2))]);
      return send(write(Object.keys(Object(responses[1]))));
    },
    reported: [1, 2],
    isComplete: false,
  },
  {
    title: 'with a part of an unknown response',
    handler: async (_, send) => send(write({ of: await send(write(1)) })),
    reported: [1],
    isComplete: false,
  },
  {
    title: 'again after an unusable response',
    handler: (_, send) =>
      send(write(1))
        .then((response) => Object.entries(Object(response)))
        .catch(() => send(write(2))),
    reported: [1],
    isComplete: false,
  },
  {
    title: 'repeatedly until the response is complete',
    handler: async (_, send, { sleep }) => {
      for (;;) {
        const response = await send(write(1));
        const isDone = await Promise.resolve(response)
          .then((each) => Object(each).isDone)
          .catch(() => false);
        if (isDone) return response;
        await sleep(0);
      }
    },
    reported: [1],
    isComplete: false,
  },
  {
    title: 'with data read before, and read again',
    handler: async (_, send) => {
      await send(write(await send(READ)));
      return send(READ);
    },
    reported: ['read', { id: 7 }, 'planned'],
    isComplete: true,
  },
  {
    title: 'before an unusable response',
    handler: async (_, send) => {
      if (!Array.isArray(await send(write(1)))) throw new ServiceError('upstream_failed', 'That is no list.');
      return [];
    },
    reported: [1],
    isComplete: false,
  },
];

test.each(CASES)(
  'a dry run reports requests that are sent $title',
  async ({ handler, reported, isComplete }) => {
    const { plan, sent, executions } = setUp([{ body: '{"id":7}' }], { handler });
    const { requests, unknown, ...dryRun } = await plan('sample_custom');
    const seen = requests.map(({ method, body, isSent }) =>
      method === 'POST' ? body : isSent ? 'read' : 'planned',
    );
    expect({ seen, ...dryRun }).toEqual({ seen: reported, isComplete });
    expect(unknown).toHaveLength(isComplete ? 0 : 2);
    expect(sent.map(({ method }) => method)).toEqual(reported.includes('read') ? ['GET'] : []);
    expect(executions).toEqual([]);
  },
);

test('a dry run reports the whole path of a host, and its decoded query', async () => {
  expect(await setUp([]).plan('sample_get')).toEqual({
    requests: [
      {
        method: 'GET',
        host: 'api.upstream.example',
        path: '/v1/a%20b',
        query: { max: 5, tag: ['a', 'b c'] },
        isSent: false,
      },
    ],
    isComplete: true,
    unknown: [],
  });
});

test('a tool that fails before it sends anything fails in a dry run', async () => {
  const handler: Custom = async () => {
    throw new ServiceError('invalid_input', 'This cannot be.');
  };
  await expect(setUp([], { handler }).plan('sample_custom')).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a failed read fails a dry run like the call', async () => {
  const handler: Custom = async (_, send) => send(write(await send(READ)));
  const { plan } = setUp([{ status: 404, body: '{}' }], { handler });
  await expect(plan('sample_custom')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 404 },
  });
});
