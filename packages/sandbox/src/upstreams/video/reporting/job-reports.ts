import { DAY } from '../../../zoned-time.js';
import type { Job } from './job.js';

/** One file of a job: the figures of one day. */
export interface Report {
  readonly id: string;
  /** Midnight of its day. */
  readonly day: number;
  readonly createdAt: number;
}

const HOUR = DAY / 24;
const HISTORY_DAYS = 30;
/** How long a file is kept: shorter when it is of a day before the job. */
const KEPT_DAYS = 60;
const KEPT_HISTORY_DAYS = 30;

/** The files that a job has at a time, the newest first. */
export function reportsOf({ createdAt }: Job, now: number): Report[] {
  const start = Math.floor(createdAt / DAY) * DAY;
  const reports: Report[] = [];
  for (let day = start - HISTORY_DAYS * DAY; day < now; day += DAY) {
    const isHistory = day < start;
    const made = isHistory ? createdAt + 12 * HOUR : day + DAY + 6 * HOUR;
    const kept = (isHistory ? KEPT_HISTORY_DAYS : KEPT_DAYS) * DAY;
    if (made <= now && now < made + kept) reports.push({ id: String(day / DAY), day, createdAt: made });
  }
  return reports.sort((a, b) => b.createdAt - a.createdAt || b.day - a.day);
}
