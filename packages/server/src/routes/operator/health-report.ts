import type { FastifyInstance } from 'fastify';
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
  readonly sandbox: { readonly url: string } | null;
  readonly production: { readonly isOn: boolean; readonly refused: readonly string[] };
  readonly executions: { readonly written: number; readonly dropped: number; readonly waiting: number };
  readonly retention: readonly RetainedRows[];
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
    table: { ...text, description: 'Name of a table.' },
    rows: {
      ...number,
      description:
        'Absent, like bytes, if counting would block the database. Run `svc-server storage` instead.',
    },
    isEstimated: yesOrNo,
    bytes: number,
    oldest: text,
    retentionDays: number,
  },
  ['table', 'retentionDays'],
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
    sandbox: { ...closed({ url: text }), type: ['object', 'null'] },
    production: closed({
      isOn: yesOrNo,
      refused: {
        ...texts,
        description: 'Settings that SVC_PRODUCTION=1 refuses to start with, and what to do.',
      },
    }),
    executions: closed({ written: number, dropped: number, waiting: number }),
    retention: { type: 'array', items: retainedRows },
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
    summary: 'Get the health of this instance',
    description: 'Reports on the database, the keys and data retention.',
    response: { 200: health },
  };
  app.get('/health', { schema }, () => readHealth());
}
