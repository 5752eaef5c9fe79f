import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from '../config/usage-error.js';
import { printableLine } from '../text/printable.js';
import { systemReason } from '../text/system-reason.js';

/**
 * File with one JSON line per revoked account: the receipt of the revocation. `add` resolves after the receipt is on
 * disk.
 */
export interface ReceiptFile {
  /** True if the file contains a receipt for the account, so that a repeated command skips the account. */
  has(accountId: string): boolean;
  add(receipt: { readonly accountId: string }): Promise<void>;
  close(): Promise<void>;
}

/** Start of every receipt line. An incomplete last line must begin with it; otherwise the file is no receipt file. */
const START = '{"accountId":';

const openFile = (name: string): Promise<FileHandle> =>
  open(name, 'a+', 0o600).catch((error: unknown) => {
    throw new UsageError(
      `The file ${name} for the receipts of revoked accounts cannot be written (${systemReason(error)}). Set --receipts to another file.`,
      {
        cause: error,
      },
    );
  });

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function accountOf(line: string): string | undefined {
  const receipt = parse(line);
  if (typeof receipt !== 'object' || receipt === null || !('accountId' in receipt)) return undefined;
  return typeof receipt.accountId === 'string' ? receipt.accountId : undefined;
}

/**
 * Reads the account ids in a receipt file, and the length of its complete lines in bytes. Returns `undefined` if the
 * file contains anything else.
 */
function readReceipts(
  content: Buffer,
): { readonly accountIds: Set<string>; readonly length: number } | undefined {
  const length = content.lastIndexOf('\n') + 1;
  const incomplete = content.toString('utf8', length);
  if (!incomplete.startsWith(START) && !START.startsWith(incomplete)) return undefined;
  const accountIds = new Set<string>();
  for (const line of content.toString('utf8', 0, length).split('\n').filter(Boolean)) {
    const accountId = accountOf(line);
    if (accountId === undefined) return undefined;
    accountIds.add(accountId);
  }
  return { accountIds, length };
}

/**
 * Opens a receipt file, or creates it. Throws a usage error and changes nothing if the file contains anything else than
 * receipts.
 */
export async function openReceipts(name: string): Promise<ReceiptFile> {
  const file = await openFile(name);
  const existing = readReceipts(await file.readFile());
  if (existing === undefined) {
    await file.close();
    throw new UsageError(
      `The file ${name} contains other data than receipts of revoked accounts. Set --receipts to a new file.`,
    );
  }
  const { accountIds, length } = existing;
  // A killed command can leave an incomplete last line. The file is cut after its last complete receipt.
  await file.truncate(length);
  return {
    has: (accountId) => accountIds.has(accountId),
    add: async (receipt) => {
      await file.appendFile(`${printableLine(JSON.stringify(receipt))}\n`);
      await file.sync();
      accountIds.add(receipt.accountId);
    },
    close: () => file.close(),
  };
}
