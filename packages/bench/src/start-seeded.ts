import { startHelper } from './job-process.ts';
import type { Bench } from './part.ts';
import { median } from './quantile.ts';
import type { SeedJob } from './seed.ts';
import { onDatabase, startServer } from './start-postgres.ts';
import { connect, launch, newSettings, type Service, type Settings, startService } from './start-service.ts';

export const CONNECTION = 'own';

/** A service with many accounts, started again when they were there. */
export interface Seeded {
  readonly settings: Settings;
  readonly service: Service;
  readonly readyMs: number;
}

const STARTS = 3;

type Wanted = Pick<SeedJob, 'count' | 'brokenOf' | 'executions'>;

async function seed({ env, clientId }: Settings, wanted: Wanted): Promise<void> {
  const own = new URL('resolve-typescript.ts', import.meta.url).href;
  const seeder = startHelper<SeedJob, void>('./seed.ts', ['--import', own]);
  await seeder.ask({
    env,
    applicationId: clientId,
    connectionName: CONNECTION,
    identifier: 'user_42',
    credential: 'bench-credential',
    ...wanted,
  });
  await seeder.stop();
}

/** A service that was given all this while it did not run, and is started now. */
export async function startWith(
  bench: Bench,
  wanted: Wanted,
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<Seeded, 'settings' | 'service'>> {
  const { folder, upstream, defer, isOnPostgres } = bench;
  const database = isOnPostgres ? onDatabase(await startServer(bench)) : {};
  const settings = await newSettings({ folder, origins: [upstream.small], env: { ...env, ...database } });
  const options = { folder, flags: [] };
  const empty = await startService(settings, options);
  await connect(empty, CONNECTION, upstream.small);
  await empty.stop();
  await seed(settings, wanted);
  const service = await startService(settings, options);
  defer(service.stop);
  return { settings, service };
}

export async function startSeeded(bench: Bench, count: number): Promise<Seeded> {
  const { folder, isQuick } = bench;
  const { settings, service } = await startWith(bench, { count });
  const times: number[] = [service.readyMs];
  if (isQuick) return { settings, service, readyMs: service.readyMs };
  await service.stop();
  while (times.length < STARTS) {
    const { readyMs, stop } = await launch(settings, { folder, flags: [] });
    times.push(readyMs);
    await stop();
  }
  const started = await startService(settings, { folder, flags: [] });
  bench.defer(started.stop);
  return { settings, service: started, readyMs: median([...times, started.readyMs]) };
}
