import { ApiError } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { flag, record, text, textOf } from '../body.js';
import {
  badArgument,
  denied,
  listed,
  missing,
  PAGED,
  type PlatformCall,
  platformMethods,
} from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { type Fields, type Job, newJobId, timeOf } from '../world.js';
import { REPORT_TYPES } from './report-types.js';

const LONGEST_NAME = 100;

const BODY = record(
  { id: text, reportTypeId: text, name: text, systemManaged: flag },
  'createTime expireTime',
);

export const jobMethods = platformMethods(
  'google.youtube.reporting.v1.Jobs',
  { path: '/jobs', scopes: REPORTING },
  {
    ListJobs: { parameters: { includeSystemManaged: 'flag', ...PAGED }, handle: listJobs },
    CreateJob: { body: BODY, handle: createJob },
    GetJob: { path: '/jobs/:jobId', handle: (call) => ({ body: present(findJob(call)) }) },
    DeleteJob: { path: '/jobs/:jobId', handle: deleteJob },
  },
);

export function findJob({ world, owner, part }: PlatformCall): Job {
  const job = world.jobs.get(part('jobId'));
  if (job === undefined || job.owner !== owner) throw missing();
  return job;
}

function ownJobs({ world, owner }: PlatformCall): Job[] {
  return [...world.jobs.values()].filter((job) => job.owner === owner);
}

function listJobs(call: PlatformCall): Outcome {
  const all = call.parameters.flag('includeSystemManaged') === true;
  const jobs = ownJobs(call).filter(({ isSystemManaged }) => all || !isSystemManaged);
  return { body: listed(call, jobs.map(present), 'jobs') };
}

function createJob(call: PlatformCall): Outcome {
  const { world, owner, body } = call;
  const [reportTypeId, name] = [textOf(body, 'reportTypeId') ?? '', textOf(body, 'name') ?? ''];
  if (reportTypeId === '' || name === '') throw badArgument('A job needs a name and a report type.');
  if (name.length > LONGEST_NAME) throw badArgument('The name of the job is too long.');
  const type = REPORT_TYPES.find(({ id }) => id === reportTypeId);
  if (type === undefined) throw badArgument(`Unknown report type: ${reportTypeId}`);
  if (type.deprecatedAt !== undefined && type.deprecatedAt <= world.now())
    throw badArgument(`The report type is deprecated: ${reportTypeId}`);
  if (type.isSystemManaged) throw denied('Jobs of this report type are managed by the system.');
  if (ownJobs(call).some((job) => job.reportTypeId === reportTypeId))
    throw new ApiError(409, 'alreadyExists', 'Requested entity already exists');
  const job = { id: newJobId(), owner, reportTypeId, name, createdAt: world.now(), isSystemManaged: false };
  world.jobs.set(job.id, job);
  return { body: present(job) };
}

function deleteJob(call: PlatformCall): Outcome {
  const job = findJob(call);
  if (job.isSystemManaged) throw denied('Jobs that the system manages cannot be deleted.');
  call.world.jobs.delete(job.id);
  return { body: {} };
}

function present({ id, reportTypeId, name, createdAt, isSystemManaged }: Job): Fields {
  return {
    id,
    reportTypeId,
    name,
    createTime: timeOf(createdAt),
    ...(isSystemManaged ? { systemManaged: true } : {}),
  };
}
