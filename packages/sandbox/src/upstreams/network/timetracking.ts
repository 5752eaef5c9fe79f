import type { FastifyInstance } from 'fastify';

const ACCOUNT_ID = '123456';

const COMPANY = {
  base_uri: 'https://analyticalengines.harvestapp.com',
  full_domain: 'analyticalengines.harvestapp.com',
  name: 'Analytical Engines',
  is_active: true,
  week_start_day: 'Monday',
  wants_timestamp_timers: true,
  time_format: 'hours_minutes',
  date_format: '%Y-%m-%d',
  plan_type: 'sponsored',
  clock: '24h',
  currency: 'GBP',
  currency_code_display: 'iso_code_none',
  currency_symbol_display: 'symbol_before',
  decimal_symbol: '.',
  thousands_separator: ',',
  color_scheme: 'orange',
  weekly_capacity: 126_000,
  expense_feature: true,
  invoice_feature: true,
  estimate_feature: false,
  approval_feature: true,
  team_feature: true,
};

const MESSAGES: Readonly<Record<number, string>> = {
  401: 'The access token provided is invalid.',
  403: 'You are not allowed to see this.',
  404: 'Not found',
  429: 'Too many requests',
};

export function dialledTimetrackingError(status: number) {
  const message = MESSAGES[status] ?? 'Something went wrong';
  return status === 401 ? { error: 'invalid_token', error_description: message } : { message };
}

export function addTimetracking(app: FastifyInstance, prefix: string): void {
  app.get(`${prefix}/v2/company`, async ({ headers }, reply) => {
    if (headers['user-agent'] === undefined)
      return reply.code(400).send({ message: 'A User-Agent that identifies you is required.' });
    if (headers['harvest-account-id'] !== ACCOUNT_ID) return reply.code(404).send({ message: 'Not found' });
    return COMPANY;
  });
}
