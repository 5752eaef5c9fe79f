import type { AuditFilter, AuditLog } from '../records/audit-log.js';
import type { Command, CommandLine } from './command.js';

async function* jsonLines(auditLog: AuditLog, filter: AuditFilter): AsyncIterable<CommandLine> {
  for await (const data of auditLog.read(filter)) yield { data, text: JSON.stringify(data) };
}

export const auditCommands: readonly Command[] = [
  {
    name: 'audit export',
    summary: 'Print the audit log, oldest first, as a JSON object on each line',
    options: {
      application: { type: 'string', value: 'ID', help: 'Only what is about this application' },
      action: { type: 'string', value: 'NAME', help: 'Only this action, such as connection.changed' },
      actor: { type: 'string', value: 'WHO', help: 'Only what this one did, such as operator:ada' },
      since: { type: 'string', value: 'DATE', help: 'Only from this moment on, such as 2026-11-20' },
      until: { type: 'string', value: 'DATE', help: 'Only before this moment' },
    },
    needsService: 'any',
    run: async ({ authorization: { auditLog } }, input) =>
      jsonLines(auditLog, {
        applicationId: input.text('application'),
        action: input.text('action'),
        actor: input.text('actor'),
        since: input.text('since'),
        until: input.text('until'),
      }),
  },
];
