import { invalid, notFound } from './api-error.js';
import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, containsAny, isOneOf, type Query, slugOf } from './query.js';
import { around } from './seed.js';
import { isWithin, POSTED_LIMITS, type World } from './world.js';

const EMPLOYMENT_TYPES = ['full-time', 'part-time', 'contract', 'temporary', 'internship'] as const;
const LEVELS = ['internship', 'entry', 'associate', 'mid-senior', 'director', 'executive'] as const;
const WORKPLACES = ['office', 'hybrid', 'remote'] as const;
const SALARIES = ['40k+', '60k+', '80k+', '100k+', '120k+', '140k+', '160k+', '180k+', '200k+'] as const;
const TITLES = ['Software Engineer', 'Engineering Manager', 'Data Scientist', 'Product Manager'];

const COUNT = 60;
const HOUR_MS = 3_600_000;

export const jobEndpoints: readonly Endpoint[] = [
  ['/linkedin/job', 'url jobId', getJob],
  [
    '/linkedin/job-search',
    'search location geoId companyId sortBy easyApply employmentType experienceLevel postedLimit salary workplaceType page',
    searchJobs,
  ],
];

const jobsOf = ({ companies, madeAt }: World) =>
  Array.from({ length: COUNT }, (_, index) => {
    const id = String(4_000_000_000 + index);
    return {
      id,
      url: `https://www.linkedin.com/jobs/view/${id}`,
      title: around(TITLES, index),
      company: around(companies, index % 6),
      employmentType: around(EMPLOYMENT_TYPES, index),
      experienceLevel: around(LEVELS, index),
      workplaceType: around(WORKPLACES, index),
      easyApply: index % 2 === 0,
      /** Yearly salary in thousands of US dollars. */
      salary: 40 + index * 5,
      postedAt: madeAt - (((index * 7) % COUNT) + 1) * 12 * HOUR_MS,
    };
  });

type JobRecord = ReturnType<typeof jobsOf>[number];

function getJob(query: Query, world: World): Output {
  const name = query.text('url') ?? query.text('jobId');
  if (name === undefined) throw invalid('One of url and jobId is required');
  const job = jobsOf(world).find(({ id }) => id === slugOf(name));
  if (job === undefined) throw notFound('Job');
  return { element: fullJob(job), entityId: job.id, cost: 1 };
}

function searchJobs(query: Query, world: World): Output {
  const easyApply = query.choice('easyApply', ['true', 'false']);
  const types = query.choices('employmentType', EMPLOYMENT_TYPES);
  const levels = query.choices('experienceLevel', LEVELS);
  const workplaces = query.choices('workplaceType', WORKPLACES);
  const least = Number.parseInt(query.choice('salary', SALARIES) ?? '0', 10);
  const period = query.choice('postedLimit', POSTED_LIMITS);
  const matches = jobsOf(world)
    .filter(({ title }) => contains(title, query.text('search') ?? ''))
    .filter(({ company }) => containsAny(company.place.title, query.list('location')))
    .filter(({ company }) => isOneOf(company.id, query.list('companyId')))
    .filter((job) => easyApply === undefined || job.easyApply === (easyApply === 'true'))
    .filter(({ employmentType }) => isOneOf(employmentType, types))
    .filter(({ experienceLevel }) => isOneOf(experienceLevel, levels))
    .filter(({ workplaceType }) => isOneOf(workplaceType, workplaces))
    .filter(({ salary, postedAt }) => salary >= least && isWithin(postedAt, period, world.now()));
  const isByDate = query.choice('sortBy', ['relevance', 'date']) === 'date';
  const sorted = isByDate ? matches.toSorted((one, other) => other.postedAt - one.postedAt) : matches;
  return pageOf(sorted.map(shortJob), query, { size: 25, last: 40 });
}

const shortJob = ({ id, url, title, postedAt, company, easyApply }: JobRecord) => ({
  id,
  url,
  title,
  postedDate: new Date(postedAt).toISOString(),
  company: { name: company.name, linkedinUrl: company.linkedinUrl },
  location: { linkedinText: company.place.title },
  easyApply,
});

const YEARLY = { currency: 'USD', payPeriod: 'YEARLY' };

function fullJob(job: JobRecord) {
  const { company, salary, postedAt, employmentType, workplaceType, experienceLevel } = job;
  return {
    ...shortJob(job),
    jobState: 'LISTED',
    descriptionText: `${company.name} looks for a ${job.title}.`,
    descriptionHtml: `<p>${company.name} looks for a ${job.title}.</p>`,
    ...{ employmentType, workplaceType, experienceLevel },
    workRemoteAllowed: workplaceType === 'remote',
    easyApplyUrl: job.easyApply ? `${job.url}/apply` : null,
    applicants: 12,
    salary: { text: `$${salary}K/yr`, min: salary * 1000, max: (salary + 20) * 1000, ...YEARLY },
    views: 120,
    expireAt: new Date(postedAt + 60 * 24 * HOUR_MS).toISOString(),
  };
}
