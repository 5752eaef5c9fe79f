import type { Handlers } from '../../../generated/handlers.js';
import { idIn, objectIn } from '../workspace/json.js';
import { fetchAnalysis } from './analysis.js';
import { nextPageOf } from './page.js';
import { uploadRecording } from './upload.js';

export const convintel: Pick<Handlers, Extract<keyof Handlers, `convintel_${string}`>> = {
  convintel_activities_list: async (input, send) => {
    const answer = await send({ method: 'GET', path: '/getActivities', query: { ...input } });
    const page = objectIn(answer, 'a list of activities');
    return { ...page, nextPage: nextPageOf(page) };
  },

  convintel_activity_upload: uploadRecording,

  convintel_summary_get: (input, send) =>
    fetchAnalysis(input, send, { path: '/getSummary', name: 'summary' }),

  convintel_action_items_get: (input, send) =>
    fetchAnalysis(input, send, { path: '/getActionItems', name: 'actionItems' }),

  convintel_test_tool_xyz: async (_input, send) => {
    const answer = await send({ method: 'GET', path: '/me' });
    return { ok: true, organizationId: idIn(answer, 'an organization') };
  },
};
