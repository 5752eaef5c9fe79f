import type { Config } from '../config/config.js';
import type { HealthModel } from '../health/health.js';
import { inspectStart } from '../production/inspect-start.js';
import type { ExecutionLog } from '../records/execution-log.js';
import { createStorageReport } from '../records/storage-report.js';
import type { Health } from '../routes/operator/health-report.js';
import { kindOfRootKey } from '../vault/load-root-keys.js';
import type { Parts } from './parts.js';

interface ServiceHealthParts {
  readonly config: Config;
  readonly version: string;
  readonly executionLog: Pick<ExecutionLog, 'counts'>;
  readonly health: Pick<HealthModel, 'readInstances'>;
  /** Ids of the connectors that the sandbox emulates. */
  readonly emulated: readonly string[];
}

/** Creates the function that reads the health report of the service for operators. */
export function createReadHealth(
  { rootKeys, storage }: Pick<Parts, 'rootKeys' | 'storage'>,
  { config, emulated, executionLog, health, version }: ServiceHealthParts,
) {
  const { retention, production, rootKey, sandbox, sandboxPort } = config;
  const storageReport = createStorageReport({ storage });
  const startedAt = new Date().toISOString();

  async function readDataKeys(): Promise<Health['dataKeys']> {
    const { count, oldest } = await storage.dataKeys.count();
    return { count, ...(oldest !== undefined && { oldestCreatedAt: new Date(oldest).toISOString() }) };
  }

  async function readRetention(): Promise<Health['retention']> {
    const tables = await storageReport.readBriefly();
    return tables.map(({ table, ages, ...size }) => ({
      table,
      ...size,
      retentionDays: Math.max(...ages.map((age) => retention[age])),
    }));
  }

  return async function readHealth(): Promise<Health> {
    return {
      version,
      startedAt,
      node: process.version,
      database: await storage.serverFacts.read(),
      rootKey: { kind: kindOfRootKey(rootKey), id: rootKeys.ids()[0] ?? '' },
      dataKeys: await readDataKeys(),
      sandbox: sandbox ? { url: `http://127.0.0.1:${sandboxPort}`, connectors: emulated } : null,
      production: { isOn: production, refused: (await inspectStart(config)).refused },
      executions: executionLog.counts(),
      retention: await readRetention(),
      instances: (await health.readInstances()).map(({ states: _, ...report }) => report),
    };
  };
}
