import type { Handlers } from '../../../generated/handlers.js';
import { invalidInput } from '../../invalid-input.js';
import { scrapeProfiles } from './bulk.js';
import { flag, readItem, readList, readPage } from './read.js';

const POSTED_LIMITS = { 'past-24h': '24h', 'past-week': 'week', 'past-month': 'month' } as const;
const CUSTOM_RANGE = 'custom-date-range';

export const network: Pick<Handlers, Extract<keyof Handlers, `network_${string}`>> = {
  network_profiles_bulk_scrape: scrapeProfiles,

  network_profile_scrape: (input, send) =>
    readItem(send, '/linkedin/profile', {
      url: input.profile_url,
      publicIdentifier: input.public_identifier,
      profileId: input.profile_id,
      main: flag(input.main),
      includeAboutProfile: flag(input.include_about_profile),
      findEmail: flag(input.find_email),
      // It says how emails are searched for, and asks for nothing by itself.
      skipSmtp: flag(input.find_email && input.skip_smtp),
    }),

  network_company_scrape: ({ company_url, universal_name, search }, send) =>
    readItem(send, '/linkedin/company', { url: company_url, universalName: universal_name, search }),

  network_job_get: ({ job_url, job_id }, send) =>
    readItem(send, '/linkedin/job', { url: job_url, jobId: job_id }),

  network_post_get: ({ url }, send) => readItem(send, '/linkedin/post', { url }),

  network_ad_get: ({ ad_id, url }, send) => readItem(send, '/linkedin/ad', { adId: ad_id, url }),

  network_group_get: ({ group_id, url }, send) =>
    readItem(send, '/linkedin/group', { groupId: group_id, url }),

  network_company_posts_list: ({ company, company_universal_name, page }, send) =>
    readPage(send, '/linkedin/company-posts', {
      company,
      companyUniversalName: company_universal_name,
      page,
    }),

  network_profile_posts_list: ({ profile, profile_id, profile_public_identifier, page }, send) =>
    readPage(send, '/linkedin/profile-posts', {
      profile,
      profileId: profile_id,
      profilePublicIdentifier: profile_public_identifier,
      page,
    }),

  network_profile_comments_list: async ({ page, pagination_token, posted_limit, ...input }, send) =>
    readPage(send, '/linkedin/profile-comments', {
      ...profileOf(input),
      page,
      paginationToken: pagination_token,
      postedLimit: posted_limit,
    }),

  network_profile_reactions_list: async ({ page, pagination_token, ...input }, send) =>
    readPage(send, '/linkedin/profile-reactions', {
      ...profileOf(input),
      page,
      paginationToken: pagination_token,
    }),

  network_post_comments_list: ({ post }, send) => readPage(send, '/linkedin/post-comments', { post }),

  network_post_reactions_list: ({ post }, send) => readPage(send, '/linkedin/post-reactions', { post }),

  network_comment_reactions_list: ({ url, page }, send) =>
    readPage(send, '/linkedin/comment-reactions', { url, page }),

  network_people_search: (input, send) => readPage(send, '/linkedin/lead-search', leadQuery(input)),

  network_leads_search: (input, send) =>
    readPage(send, '/linkedin/lead-search', {
      ...leadQuery(input),
      pastCompanies: input.past_companies,
      pastJobTitles: input.past_job_titles,
      geoIds: input.geo_ids,
      yearsOfExperienceIds: input.years_of_experience_ids,
      recentlyChangedJobs: flag(input.recently_changed_jobs),
      salesNavUrl: input.prospecting_search_url,
    }),

  network_companies_search: ({ search, location, company_size, page }, send) =>
    readPage(send, '/linkedin/company-search', { search, location, companySize: company_size, page }),

  network_jobs_search: (input, send) =>
    readPage(send, '/linkedin/job-search', {
      search: input.search,
      location: input.location,
      companyId: input.company_id,
      sortBy: input.sort_by,
      // Not a flag: false leaves out the jobs that true finds.
      easyApply: input.easy_apply,
      employmentType: input.employment_type,
      experienceLevel: input.experience_level,
      postedLimit: input.posted_limit,
      salary: input.salary,
      workplaceType: input.workplace_type,
      page: input.page,
    }),

  network_posts_search: (input, send) =>
    readPage(send, '/linkedin/post-search', {
      search: input.search,
      authorsCompany: input.authors_company,
      company: input.company,
      companyId: input.company_id,
      group: input.group,
      profile: input.profile,
      profileId: input.profile_id,
      postedLimit: input.posted_limit && POSTED_LIMITS[input.posted_limit],
      sortBy: input.sort_by,
      page: input.page,
    }),

  network_groups_search: ({ search, page }, send) =>
    readPage(send, '/linkedin/group-search', { search, page }),

  network_services_search: ({ search, location, geo_id, page }, send) =>
    readPage(send, '/linkedin/service-search', { search, location, geoId: geo_id, page }),

  network_ads_search: async ({ keyword, account_owner, countries, ...period }, send) =>
    readPage(send, '/linkedin/ad-search', {
      keyword,
      accountOwner: account_owner,
      countries,
      ...periodOf(period),
    }),

  network_geo_search: ({ search }, send) => readList(send, '/linkedin/geo-id-search', { search }),
};

type ProfileInput = Pick<Parameters<Handlers['network_profile_comments_list']>[0], 'profile' | 'profile_id'>;

function profileOf({ profile, profile_id }: ProfileInput) {
  if (profile !== undefined || profile_id !== undefined) return { profile, profileId: profile_id };
  throw invalidInput('profile', 'required', 'or "profile_id" is required');
}

type LeadInput = Parameters<Handlers['network_people_search']>[0];

const leadQuery = (input: LeadInput) => ({
  search: input.search,
  currentCompanies: input.current_companies,
  currentJobTitles: input.current_job_titles,
  firstNames: input.first_names,
  lastNames: input.last_names,
  locations: input.locations,
  industryIds: input.industry_ids,
  seniorityLevelIds: input.seniority_level_ids,
  companyHeadcount: input.company_headcount,
  page: input.page,
});

type PeriodInput = Pick<
  Parameters<Handlers['network_ads_search']>[0],
  'date_option' | 'startdate' | 'enddate'
>;

// The upstream ignores days beside any other option, and would show ads of the wrong time.
function periodOf({ date_option, startdate, enddate }: PeriodInput) {
  if (startdate === undefined && enddate === undefined) return { dateOption: date_option };
  if (date_option !== undefined && date_option !== CUSTOM_RANGE) {
    const problem = `must be ${CUSTOM_RANGE} when startdate or enddate is given; leave one of them out`;
    throw invalidInput('date_option', 'const', problem);
  }
  return { dateOption: CUSTOM_RANGE, startdate, enddate };
}
