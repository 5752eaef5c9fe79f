import { type Operation, partOf, type Way } from '../support/battery.js';

/** Calls each operation once, in order. Failures are ignored, because only the recorded responses matter. */
export async function walkOperations<Client>(
  operations: readonly Operation<Client>[],
  { client, turn }: Way<Client>,
): Promise<void> {
  const kept = new Map<string, string>();
  for (const { call, keeps = {}, throws } of operations) {
    const outcome = await call(client, (name) => kept.get(name) ?? '', turn).catch(() => undefined);
    if (throws !== undefined || outcome === undefined) continue;
    for (const [name, path] of Object.entries(keeps)) kept.set(name, partOf(outcome, path));
  }
}
