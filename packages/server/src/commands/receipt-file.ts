import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from '../config/usage-error.js';
import { printableLine } from '../text/printable.js';
import { systemReason } from '../text/system-reason.js';

/** Receipts as JSON lines that are on the disk when `add` returns. */
export interface ReceiptFile {
  /** Whether the file has a receipt of that account. */
  has(accountId: string): boolean;
  add(receipt: { readonly accountId: string }): Promise<void>;
  close(): Promise<void>;
}

/** How every receipt begins. */
const START = '{"accountId":';

const openFile = (name: string): Promise<FileHandle> =>
  open(name, 'a+', 0o600).catch((error: unknown) => {
    throw new UsageError(`${name} cannot be written (${systemReason(error)}); name another file.`, {
      cause: error,
    });
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

/** The accounts with a receipt, and how many bytes those take; `undefined` where the content is something else. */
function readReceipts(content: Buffer): { readonly given: Set<string>; readonly length: number } | undefined {
  const length = content.lastIndexOf('\n') + 1;
  const torn = content.toString('utf8', length);
  if (!torn.startsWith(START) && !START.startsWith(torn)) return undefined;
  const given = new Set<string>();
  for (const line of content.toString('utf8', 0, length).split('\n').filter(Boolean)) {
    const accountId = accountOf(line);
    if (accountId === undefined) return undefined;
    given.add(accountId);
  }
  return { given, length };
}

/** Goes on with a file that is there already. Throws a usage error, and changes nothing, where it holds something else. */
export async function openReceipts(name: string): Promise<ReceiptFile> {
  const file = await openFile(name);
  const found = readReceipts(await file.readFile());
  if (found === undefined) {
    await file.close();
    throw new UsageError(`${name} holds something else than receipts; name another file.`);
  }
  const { given, length } = found;
  // A command that was killed in the middle of a line has not given that receipt.
  await file.truncate(length);
  return {
    has: (accountId) => given.has(accountId),
    add: async (receipt) => {
      await file.appendFile(`${printableLine(JSON.stringify(receipt))}\n`);
      await file.sync();
      given.add(receipt.accountId);
    },
    close: () => file.close(),
  };
}
