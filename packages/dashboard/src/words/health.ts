import type { Health } from '../api/health.ts';

type Facts = Pick<Health, 'executions'> & {
  readonly database: { readonly migrations: Pick<Health['database']['migrations'], 'pending'> };
};

/** What is not as it should be, each in a sentence; none when all is well. */
export function healthProblems({ database, executions }: Facts): readonly string[] {
  const { pending } = database.migrations;
  return [
    ...(pending.length > 0
      ? [`The database lacks ${pending.length} of its migrations: restart the service to bring them.`]
      : []),
    ...(executions.dropped > 0
      ? [
          `${executions.dropped} executions could not be written since the start: the database is too slow or was away.`,
        ]
      : []),
  ];
}
