import { DAY } from '../../zoned-time.js';
import { ADA } from './seed-data.js';
import type { World } from './world.js';

/** A group and two jobs of Ada, old enough to have reports; the system manages one of them. */
export function addSeededReports({ groups, jobs, now }: World): void {
  groups.set('adaEngineGroup01', {
    id: 'adaEngineGroup01',
    owner: ADA,
    title: 'Engines',
    itemType: 'youtube#video',
    publishedAt: now() - 20 * DAY,
    items: [{ id: 'adaEngineGroupItem01', resource: { kind: 'youtube#video', id: 'adaEngine01' } }],
  });
  const common = { owner: ADA, createdAt: now() - 10 * DAY };
  const seeded = [
    { id: 'adaActivityJob', reportTypeId: 'channel_basic_a3', name: 'Activity', isSystemManaged: false },
    {
      id: 'adaSystemJob',
      reportTypeId: 'system_estimated_video_a1',
      name: 'Estimates',
      isSystemManaged: true,
    },
  ];
  for (const job of seeded) jobs.set(job.id, { ...common, ...job });
}
