import type { FastifyInstance } from 'fastify';
import { dialledError, errorBody, statusErrorBody } from '../../google/api-error.js';
import { addBatch } from '../../google/batch.js';
import { addMethods, addNotEmulated, addNotFoundPage } from '../../google/method.js';
import { addGoogleOAuth, googleOAuth } from '../../google/oauth.js';
import { createQuota } from '../../google/quota.js';
import type { OAuthUpstream } from '../../upstream.js';
import { groupItemMethods, groupMethods } from './analytics/groups.js';
import { queryMethods } from './analytics/reports.js';
import { addDataApi } from './data-api/add-data-api.js';
import { type PlatformMethod, type PlatformSurroundings, readPlatformCall } from './platform-call.js';
import { addReportDownload } from './reporting/add-report-download.js';
import { jobMethods } from './reporting/jobs.js';
import { reportTypeMethods } from './reporting/report-types.js';
import { reportMethods } from './reporting/reports.js';
import { SCOPES } from './scopes.js';
import { seededWorld } from './seed.js';

const HOSTS = { analytics: { path: '/analytics' }, reporting: { path: '/reporting' } };

export const video: OAuthUpstream = {
  id: 'video',
  title: 'Video',
  oauth: googleOAuth(SCOPES),
  hosts: HOSTS,
  failure(status, _requestId, host) {
    const error = dialledError(status);
    return host === 'reporting' ? statusErrorBody(error) : errorBody(error);
  },
  mount(app, context) {
    let world = seededWorld(context.clock);
    const quota = createQuota(context.clock);
    const surroundings = { context, quota, world: () => world };
    addNotFoundPage(app);
    addGoogleOAuth(app, context);
    addDataApi(app, surroundings);
    addHost(app, ANALYTICS, { ...surroundings, ...HOSTS.analytics });
    const reporting = { ...surroundings, ...HOSTS.reporting };
    addHost(app, REPORTING, reporting);
    addReportDownload(app, reporting);
    // The method that reads a single report is not emulated, because the list returns all fields.
    const methods = ['GET /jobs/:jobId/reports/:reportId'];
    addNotEmulated(app, { prefix: `${reporting.path}/v1`, methods });
    return {
      reset() {
        world = seededWorld(context.clock);
        quota.reset();
      },
    };
  },
};

interface Host {
  readonly service: string;
  readonly version: string;
  readonly methods: readonly PlatformMethod[];
  readonly errorBody: typeof errorBody | typeof statusErrorBody;
}

const ANALYTICS: Host = {
  service: 'youtubeanalytics.googleapis.com',
  version: '/v2',
  methods: [...groupMethods, ...groupItemMethods, ...queryMethods],
  errorBody,
};
const REPORTING: Host = {
  service: 'youtubereporting.googleapis.com',
  version: '/v1',
  methods: [...reportTypeMethods, ...jobMethods, ...reportMethods],
  errorBody: statusErrorBody,
};

function addHost(app: FastifyInstance, { version, ...host }: Host, surroundings: PlatformSurroundings): void {
  const { context, path } = surroundings;
  const { authorizationServer, baseUrl } = context;
  const base = new URL(baseUrl).pathname + path;
  addBatch(app, { path: `${path}/batch`, methods: version, base, errorBody: host.errorBody });
  addMethods(app, host.methods, {
    ...host,
    prefix: path + version,
    authorizationServer,
    read: (incoming, one) => readPlatformCall(incoming, one, surroundings),
  });
}
