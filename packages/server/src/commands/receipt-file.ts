import { type FileHandle, open } from 'node:fs/promises';
import { printableLine } from '../printable.js';

/** Receipts as JSON lines that are on the disk when `add` returns. */
export interface ReceiptFile {
  /** Whether the file has a receipt of that account. */
  has(accountId: string): boolean;
  add(receipt: { readonly accountId: string }): Promise<void>;
  close(): Promise<void>;
}

// A command that was killed in the middle of a line has not given that receipt.
async function readLines(file: FileHandle): Promise<string[]> {
  const text = await file.readFile('utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  await file.truncate(Buffer.byteLength(whole));
  return whole.split('\n').filter((line) => line !== '');
}

function accountOf(line: string): string | undefined {
  const receipt: unknown = JSON.parse(line);
  if (typeof receipt !== 'object' || receipt === null || !('accountId' in receipt)) return undefined;
  return String(receipt.accountId);
}

/** Goes on with a file that is there already. */
export async function openReceipts(name: string): Promise<ReceiptFile> {
  const file = await open(name, 'a+', 0o600);
  const given = new Set((await readLines(file)).map(accountOf));
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
