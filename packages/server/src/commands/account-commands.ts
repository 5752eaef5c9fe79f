import type { ConnectionName, RevocationReceipt, RevokeAccounts } from '../connections/revoke-accounts.js';
import { ServiceError } from '../errors.js';
import type { Command, CommandLine } from './command.js';
import { confirm, YES } from './confirm.js';
import { createProgress } from './progress.js';
import { openReceipts, type ReceiptFile } from './receipt-file.js';

const MAX_LISTED = 20;

const hasFailed = ({ upstream }: RevocationReceipt): boolean => upstream.startsWith('failed');

const userOf = ({ identifier, account }: RevocationReceipt) =>
  account === undefined ? JSON.stringify(identifier) : `${JSON.stringify(identifier)} (${account})`;

function checkRevoked(name: string, done: number, failed: readonly RevocationReceipt[]): void {
  if (failed.length === 0) return;
  const identifiers = failed.slice(0, MAX_LISTED).map(userOf);
  const more = failed.length > MAX_LISTED ? ` and ${failed.length - MAX_LISTED} more` : '';
  throw new ServiceError(
    'upstream_failed',
    `The tokens of all ${done} accounts are deleted in the service, but ${failed.length} could not be revoked upstream (${identifiers.join(', ')}${more}). The file ${name} gives the reasons. Revoke the access of these accounts in the upstream's own settings.`,
  );
}

interface Revocation {
  readonly accounts: RevokeAccounts;
  readonly connection: ConnectionName;
  readonly receipts: ReceiptFile;
  readonly file: string;
}

const lineOf = (receipt: RevocationReceipt) => `${receipt.accountId} ${userOf(receipt)} ${receipt.upstream}`;

/**
 * Revokes the access of all accounts of a connection. Shows a progress bar on a terminal, and otherwise prints a line
 * per account.
 */
async function* revokeAll(
  { accounts, connection, receipts, file }: Revocation,
  total: number,
): AsyncIterable<CommandLine> {
  const isTerminal = process.stderr.isTTY;
  const progress = createProgress(process.stderr, { title: connection.connectionName, total });
  const failed: RevocationReceipt[] = [];
  let done = 0;
  try {
    for await (const receipt of accounts.run(connection, receipts.has)) {
      await receipts.add(receipt);
      done += 1;
      if (hasFailed(receipt)) failed.push(receipt);
      progress.add(1);
      yield isTerminal ? { data: receipt } : { data: receipt, text: lineOf(receipt) };
    }
  } finally {
    progress.end();
    await receipts.close();
  }
  checkRevoked(file, done, failed);
  yield {
    text: `The access of ${done} accounts of ${connection.connectionName} is revoked. ${file} contains one line per account, with the result of its revocation.`,
  };
}

export const accountCommands: readonly Command[] = [
  {
    name: 'accounts revoke',
    summary:
      'Revoke the access of all accounts of a connection, in the service and upstream, and store the results in a file',
    options: {
      application: {
        type: 'string',
        value: 'ID',
        isRequired: true,
        help: 'Id of the application that owns the connection',
      },
      connection: { type: 'string', value: 'NAME', isRequired: true, help: 'Name of the connection' },
      receipts: {
        type: 'string',
        value: 'FILE',
        help: 'File to which a receipt of each revoked account is appended as a line of JSON (default: <connection>.receipts.jsonl)',
      },
      yes: YES,
    },
    needsService: 'stopped',
    run: async ({ core: { revokeAccounts } }, input) => {
      const connection = {
        applicationId: input.argument('application'),
        connectionName: input.argument('connection'),
      };
      const file = input.text('receipts') ?? `${connection.connectionName}.receipts.jsonl`;
      const total = await revokeAccounts.count(connection, () => true);
      const question = `This permanently revokes the access of ${total} accounts of ${connection.connectionName}.`;
      await confirm(input, question);
      const receipts = await openReceipts(file);
      return revokeAll({ accounts: revokeAccounts, connection, receipts, file }, total);
    },
  },
];
