import { type Operation, partOf, type Way } from '../support/battery.js';

/** Calls each operation once, in order. Failures are ignored, because only the recorded responses matter. */
export async function walkOperations<Client>(
  operations: readonly Operation<Client>[],
  { client, setDials }: Way<Client>,
): Promise<void> {
  const saved = new Map<string, string>();
  for (const { call, saves = {}, throws } of operations) {
    const outcome = await call(client, (name) => saved.get(name) ?? '', setDials).catch(() => undefined);
    if (throws !== undefined || outcome === undefined) continue;
    for (const [name, path] of Object.entries(saves)) saved.set(name, partOf(outcome, path));
  }
}
