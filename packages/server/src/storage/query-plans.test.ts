import { CamelCasePlugin, Kysely } from 'kysely';
import { expect, inject, test } from 'vitest';
import { newFolder } from '../../test/new-folder.js';
import { openDatabase } from './database.js';
import { createDialect } from './sqlite.js';
import { openFile, type Statement } from './sqlite-file.js';
import { createStorage, type Storage } from './storage.js';

/** Those that grow with what applications do. */
const GROWING =
  /^(SCAN (accounts|access_tokens|audit_events|authorization_\w+|client_secrets|connections|executions|idempotency_keys|pending_approvals)(?! USING (COVERING )?INDEX)|USE TEMP B-TREE FOR ORDER BY)/;

const APP = 'app_1';
const account = { applicationId: APP, id: 'acct_1', version: 1 };
const run = { applicationId: APP, keyDigest: 'k', runId: 'r' };

const CALLS: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  'access tokens': async ({ accessTokens }) => {
    await accessTokens.findLive('d', 1);
  },
  accounts: async ({ accounts }) => {
    await accounts.find(APP, 'acct_1');
    await accounts.findByIdentifier(APP, 'mail', 'ada');
    await accounts.list(APP, 'conn_1', { after: 'a', limit: 10 });
    await accounts.change(account, { updatedAt: 1 });
    await accounts.hasSubject({ applicationId: APP, connectionId: 'conn_1' }, { subject: 's' });
    await accounts.delete(APP, 'acct_1');
  },
  applications: async ({ applications, ownedRows }) => {
    await applications.liveSecrets(APP);
    await applications.findLiveSecret(APP, 'd');
    await ownedRows.count(APP);
    await ownedRows.deleteSome(APP, 500);
    await applications.delete(APP);
  },
  'audit events': async ({ auditEvents }) => {
    const after = { at: 1, id: 'audit_1' };
    await auditEvents.list({ limit: 10, after });
    await auditEvents.list({ limit: 10, newestFirst: true, since: 1 });
    await auditEvents.list({ limit: 10, applicationId: APP, after });
    await auditEvents.list({ limit: 10, applicationId: APP, newestFirst: true, since: 1 });
  },
  authorization: async ({ authorizationFlows }) => {
    await authorizationFlows.findLink('d');
    await authorizationFlows.useLink('d', 1);
    await authorizationFlows.findFlow('d');
    await authorizationFlows.consumeFlow({ stateDigest: 's', browserDigest: 'b', connectionId: 'c', now: 1 });
    await authorizationFlows.refuse('authorizationLinks', 'link_1', 1);
  },
  connections: async ({ connections }) => {
    await connections.list(APP, 'a', 10);
    await connections.findByName(APP, 'mail');
    await connections.delete(APP, 'conn_1');
  },
  executions: async ({ executions }) => {
    await executions.list(APP, { limit: 10 });
    await executions.list(APP, { limit: 10, before: { startedAt: 1, id: 'exec_1' } });
    await executions.list(APP, { limit: 10, status: 500, before: { startedAt: 1, id: 'exec_1' } });
  },
  'idempotency keys': async ({ idempotencyKeys }) => {
    await idempotencyKeys.find(APP, 'k');
    await idempotencyKeys.update(run, { leaseUntil: 1 });
    await idempotencyKeys.delete(run);
  },
  'pending approvals': async ({ pendingApprovals }) => {
    await pendingApprovals.find({ applicationId: APP, requestDigest: 'd', now: 1 });
    await pendingApprovals.ofAccount(APP, 'acct_1');
    await pendingApprovals.expired(1, 10);
    await pendingApprovals.take(APP, 'pend_1');
  },
};

/** What SQLite would do for every statement of this work. */
async function plansOf(work: (storage: Storage) => Promise<unknown>): Promise<readonly string[]> {
  const path = `${newFolder()}/svc.db`;
  const { close } = await openDatabase({ path });
  await close();
  const file = openFile(path);
  const plans: string[] = [];
  const explain = ({ sql, parameters }: Statement) => {
    const { rows } = file.run({ sql: `explain query plan ${sql}`, parameters, inTransaction: false });
    for (const row of rows) plans.push(`${(row as { detail: string }).detail} · ${sql}`);
  };
  const dialect = createDialect(
    {
      run: async (statement) => {
        explain(statement);
        return file.run(statement);
      },
      close: async () => file.close(),
    },
    { path },
  );
  await work(createStorage(new Kysely({ dialect, plugins: [new CamelCasePlugin()] })));
  file.close();
  return plans;
}

test.skipIf(inject('postgres') !== undefined).each(Object.keys(CALLS))(
  'F5: no statement of %s reads a whole table that grows, or sorts what it finds',
  async (name) => {
    const plans = await plansOf((storage) => CALLS[name]?.(storage) ?? Promise.reject(new Error(name)));
    expect(plans.length).toBeGreaterThan(1);
    expect(plans.filter((plan) => GROWING.test(plan))).toEqual([]);
  },
);
