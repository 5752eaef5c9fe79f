import type { Instances } from '../storage/instances-table.js';
import { isObject, parseObject } from '../text/json-object.js';
import type { InstanceReport, OwnReport } from './instance-report.js';

export interface ReadInstancesParts {
  readonly own: Pick<OwnReport, 'read'>;
  /** Database table of the running instances. Absent if this is the only instance. */
  readonly instances: Pick<Instances, 'list'> | undefined;
  /** Returns milliseconds since any fixed time. */
  readonly clock: () => number;
}

// Time in milliseconds for which the reports of other instances are cached, because every request for a connection
// needs them.
const CACHED_MS = 1000;

/**
 * Returns true if a value has the same properties as an example, with the same types. Items of arrays are not compared.
 */
function hasFormOf(value: unknown, example: unknown): boolean {
  if (Array.isArray(example)) return Array.isArray(value);
  if (!isObject(example)) return typeof value === typeof example;
  return isObject(value) && Object.entries(example).every(([name, each]) => hasFormOf(value[name], each));
}

/**
 * Parses the report of another instance. Returns `undefined` if its structure differs, because that instance runs
 * another version of the service.
 */
function readReport(text: string, own: InstanceReport): InstanceReport | undefined {
  const report: unknown = parseObject(text);
  // The cast is safe, because only instances write reports, and this report has the structure of this instance's own
  // report.
  return hasFormOf(report, own) ? (report as InstanceReport) : undefined;
}

/**
 * Creates the function that reads the status reports of all running instances. It returns this instance's report first.
 */
export function createReadInstances({ own, instances, clock }: ReadInstancesParts) {
  let cached: { readonly at: number; readonly rows: ReturnType<Instances['list']> } | undefined;

  function listRows(table: Pick<Instances, 'list'>): ReturnType<Instances['list']> {
    if (cached !== undefined && clock() - cached.at < CACHED_MS) return cached.rows;
    cached = { at: clock(), rows: table.list() };
    cached.rows.catch(() => {
      cached = undefined;
    });
    return cached.rows;
  }

  return async function readInstances(): Promise<readonly InstanceReport[]> {
    const report = own.read();
    if (instances === undefined) return [report];
    const others = (await listRows(instances)).filter(({ id }) => id !== report.id);
    return [report, ...others.flatMap((other) => readReport(other.report, report) ?? [])];
  };
}

export type ReadInstances = ReturnType<typeof createReadInstances>;
