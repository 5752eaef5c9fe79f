import type { FastifyInstance } from 'fastify';
import type { InstanceReport } from '../../health/instance-report.js';
import { closed, named } from '../../listener/list-schema.js';

export interface Health {
  readonly version: string;
  readonly startedAt: string;
  /** Version of Node.js that runs the service. */
  readonly node: string;
  readonly database: {
    readonly kind: 'sqlite' | 'postgres';
    readonly version: string;
    readonly sizeBytes: number;
    readonly migrations: { readonly applied: readonly string[]; readonly pending: readonly string[] };
  };
  readonly rootKey: { readonly kind: string; readonly id: string };
  readonly dataKeys: { readonly count: number; readonly oldestCreatedAt?: string };
  readonly sandbox: { readonly url: string; readonly connectors: readonly string[] } | null;
  readonly production: { readonly isOn: boolean; readonly refused: readonly string[] };
  readonly executions: { readonly written: number; readonly dropped: number; readonly waiting: number };
  readonly retention: readonly RetainedRows[];
  readonly instances: readonly Omit<InstanceReport, 'states'>[];
}

interface RetainedRows {
  /** Name of a database table. */
  readonly table: string;
  readonly rows?: number;
  readonly isEstimated?: boolean;
  readonly bytes?: number;
  readonly oldest?: string;
  readonly retentionDays: number;
}

const text = { type: 'string' };
const number = { type: 'integer' };
const yesOrNo = { type: 'boolean' };
const texts = { type: 'array', items: text };

const database = closed({
  kind: { ...text, enum: ['sqlite', 'postgres'] },
  version: text,
  sizeBytes: number,
  migrations: closed({ applied: texts, pending: texts }),
});

const retainedRows = closed(
  {
    table: { ...text, description: 'Name of a database table.' },
    rows: {
      ...number,
      description:
        'Number of rows. If counting would block the database, `rows` and `bytes` are absent: run `svc-server storage` to see them.',
    },
    isEstimated: yesOrNo,
    bytes: number,
    oldest: text,
    retentionDays: number,
  },
  ['table', 'retentionDays'],
);

const minute = (what: string) => ({ ...number, description: `${what} within the last minute.` });
const limitUse = named(
  'RateLimitUse',
  closed({
    perSecond: {
      ...number,
      description: 'Calls per second that the limit allows to each application, user, account or address.',
    },
    calls: minute('Calls that the limit checked'),
    refused: minute('Calls that the limit refused'),
  }),
);

const instance = named(
  'InstanceReport',
  closed({
    id: { ...text, examples: ['inst_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
    version: { ...text, examples: ['1.4.0'] },
    startedAt: { ...text, examples: ['2026-11-20T09:00:00.000Z'] },
    memoryBytes: { ...number, examples: [180_000_000], description: 'Memory of the process in bytes.' },
    responseMemory: closed({
      usedBytes: {
        ...number,
        description: 'Memory in bytes that calls have reserved for request and response bodies.',
      },
      limitBytes: number,
    }),
    calls: closed({
      running: { ...number, description: 'Calls to upstreams in progress.' },
      waiting: { ...number, description: 'Calls in the queue of the concurrency limit.' },
      refused: minute('Calls that were refused because the queue of the concurrency limit was full'),
    }),
    executions: closed({ waiting: number, dropped: number }),
    refreshes: closed({ succeeded: minute('Token refreshes'), failed: minute('Failed token refreshes') }),
    rateLimits: closed({ application: limitUse, user: limitUse, account: limitUse, address: limitUse }),
    database: closed({
      statements: { ...number, description: 'Number of database statements in the last 6 seconds.' },
      p95Ms: {
        ...number,
        description: '95th percentile of the durations of these database statements, in milliseconds.',
      },
      isSlow: yesOrNo,
    }),
  }),
);

const HEALTH = {
  version: '1.4.0',
  node: 'v24.21.0',
  database: {
    kind: 'sqlite',
    version: '3.50.4',
    sizeBytes: 4_194_304,
    migrations: { applied: ['0001_create_tables'], pending: [] },
  },
  rootKey: { kind: 'file', id: '5f1c9a' },
  sandbox: null,
  production: { isOn: false, refused: [] },
  executions: { written: 120, dropped: 0, waiting: 0 },
  retention: [{ table: 'executions', rows: 120, retentionDays: 30 }],
};

const health = named(
  'Health',
  closed({
    version: text,
    startedAt: text,
    node: text,
    database,
    rootKey: closed({
      kind: { ...text, enum: ['file', 'environment', 'aws_kms', 'gcp_kms'] },
      id: { ...text, description: 'Id of the current root key. It reveals nothing about the key.' },
    }),
    dataKeys: closed({ count: number, oldestCreatedAt: text }, ['count']),
    sandbox: {
      ...closed({
        url: text,
        connectors: { ...texts, description: 'Ids of the connectors that the sandbox emulates.' },
      }),
      type: ['object', 'null'],
    },
    production: closed({
      isOn: yesOrNo,
      refused: {
        ...texts,
        description:
          'Settings with which the service would not start in production (SVC_PRODUCTION=1), and how to correct them.',
      },
    }),
    executions: closed({ written: number, dropped: number, waiting: number }),
    retention: { type: 'array', items: retainedRows },
    instances: {
      type: 'array',
      items: instance,
      description:
        'Running instances that share the database. The first one is the instance that sends this response.',
    },
  }),
  HEALTH,
);

/** Adds the health report of this instance and its database. A hook of `app` must authenticate operators. */
export function addHealthReport(
  app: FastifyInstance,
  { readHealth }: { readonly readHealth: () => Promise<Health> },
): void {
  const schema = {
    operationId: 'getHealth',
    tags: ['health'],
    summary: 'Get the health of the service',
    description: 'Reports on all instances, the database, the keys and data retention.',
    response: { 200: health },
  };
  app.get('/health', { schema }, () => readHealth());
}
