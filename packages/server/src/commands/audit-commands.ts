import type { AuditFilter, AuditLog } from '../records/audit-log.js';
import type { Command, CommandLine } from './command.js';

async function* jsonLines(auditLog: AuditLog, filter: AuditFilter): AsyncIterable<CommandLine> {
  for await (const data of auditLog.read(filter)) yield { data, text: JSON.stringify(data) };
}

export const auditCommands: readonly Command[] = [
  {
    name: 'audit export',
    summary: 'Print the audit log, oldest first, as one JSON object per line',
    options: {
      application: { type: 'string', value: 'ID', help: 'Print only events of the application with this id' },
      action: {
        type: 'string',
        value: 'NAME',
        help: 'Print only events with this action, such as connection.changed',
      },
      actor: {
        type: 'string',
        value: 'ACTOR',
        help: 'Print only events of this actor, such as operator:ada',
      },
      since: {
        type: 'string',
        value: 'DATE',
        help: 'Print only events from this date or time on, such as 2026-11-20',
      },
      until: { type: 'string', value: 'DATE', help: 'Print only events before this date or time' },
    },
    needsService: 'any',
    run: async ({ core: { auditLog } }, input) =>
      jsonLines(auditLog, {
        applicationId: input.text('application'),
        action: input.text('action'),
        actor: input.text('actor'),
        since: input.text('since'),
        until: input.text('until'),
      }),
  },
];
