import { startHelper } from './helper.ts';
import type { Bench } from './part.ts';
import type { SeedJob } from './seed.ts';
import { connect, launch, newSettings, type Service, type Settings, startService } from './service.ts';
import { median } from './statistics.ts';

export const CONNECTION = 'own';

/** A service with many accounts, started again when they were there. */
export interface Seeded {
  readonly settings: Settings;
  readonly service: Service;
  readonly readyMs: number;
}

const STARTS = 3;

async function seed({ env, clientId }: Settings, count: number): Promise<void> {
  const own = new URL('from-source.ts', import.meta.url).href;
  const seeder = startHelper<SeedJob, void>('./seed.ts', ['--import', own]);
  await seeder.ask({
    env,
    applicationId: clientId,
    connectionName: CONNECTION,
    identifier: 'user_42',
    credential: 'bench-credential',
    count,
  });
  await seeder.stop();
}

export async function startSeeded(bench: Bench, count: number): Promise<Seeded> {
  const { folder, upstream, defer, isQuick } = bench;
  const settings = await newSettings({ folder, origins: [upstream.small] });
  const options = { folder, flags: [] };
  const empty = await startService(settings, options);
  await connect(empty, CONNECTION, upstream.small);
  await empty.stop();
  await seed(settings, count);
  const times: number[] = [];
  while (!isQuick && times.length < STARTS) {
    const { readyMs, stop } = await launch(settings, options);
    times.push(readyMs);
    await stop();
  }
  const service = await startService(settings, options);
  defer(service.stop);
  return { settings, service, readyMs: median([...times, service.readyMs]) };
}
