import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import type { AuditEventRow } from '../storage/schema.js';
import { createAuditLog } from './audit-log.js';

const row = (index: number): AuditEventRow => ({
  id: `audit_${String(index).padStart(6, '0')}`,
  // Seven events share each time, so that a page can end between events of an equal time.
  at: Math.floor(index / 7),
  applicationId: index % 2 === 0 ? 'app_even' : null,
  actor: 'test',
  action: 'application.changed',
  object: 'app_even',
  result: 'done',
  reason: null,
  requestId: null,
  address: null,
});

test('the audit log returns every event once and in order while new ones are written', async () => {
  const { storage } = await createServiceParts();
  const auditLog = createAuditLog({ storage });
  const rows = Array.from({ length: 1203 }, (_, index) => row(index));
  for (let start = 0; start < rows.length; start += 400) {
    await storage.auditEvents.insert(rows.slice(start, start + 400));
  }
  const ids: string[] = [];
  for await (const { id } of auditLog.read({})) {
    if (ids.length === 0) await storage.auditEvents.insert([row(1203)]);
    ids.push(id);
  }
  expect(ids).toEqual([...rows, row(1203)].map(({ id }) => id));

  let even = 0;
  for await (const { applicationId } of auditLog.read({ applicationId: 'app_even' })) {
    expect(applicationId).toBe('app_even');
    even += 1;
  }
  expect(even).toBe(602);
});
