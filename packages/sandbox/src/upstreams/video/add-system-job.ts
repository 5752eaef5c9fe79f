import { DAY } from '../../zoned-time.js';
import { ADA } from './seed-data.js';
import type { World } from './world.js';

/** A job that the system manages for Ada, old enough to have reports. */
export function addSystemJob({ jobs, now }: World): void {
  jobs.set('adaSystemJob', {
    id: 'adaSystemJob',
    owner: ADA,
    reportTypeId: 'system_estimated_video_a1',
    name: 'Estimates',
    createdAt: now() - 10 * DAY,
    isSystemManaged: true,
  });
}
