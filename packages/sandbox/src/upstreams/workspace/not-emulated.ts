import type { HTTPMethods } from 'fastify';
import { ApiError } from './api-error.js';
import type { Endpoints } from './call.js';

/** What the real service has and this one does not: agents, meeting notes, and work that goes on after its answer. */
const NOT_EMULATED: readonly (readonly [method: HTTPMethods, path: string])[] = [
  ['GET', '/agents'],
  ['POST', '/agents/query'],
  ['POST', '/agents/batch'],
  ['GET', '/agents/:agent_id'],
  ['DELETE', '/agents/:agent_id'],
  ['GET', '/agents/:agent_id/insights'],
  ['PATCH', '/agents/:agent_id/credit_limit'],
  ['PATCH', '/agents/:agent_id/status'],
  ['POST', '/agents/:agent_id/chat'],
  ['GET', '/agents/:agent_id/threads'],
  ['POST', '/agents/:agent_id/threads/query'],
  ['POST', '/threads/:thread_id/continue'],
  ['GET', '/threads/:thread_id/messages'],
  ['POST', '/threads/:thread_id/messages'],
  ['POST', '/threads/:thread_id/messages/query'],
  ['POST', '/external_agent_stub/:agent_id/sessions'],
  ['GET', '/external_agent_stub/:agent_id/sessions/:session_id/events'],
  ['POST', '/external_agent_stub/:agent_id/sessions/:session_id/messages'],
  ['POST', '/external_agent_stub/:agent_id/vaults'],
  ['PATCH', '/external_agent_stub/:agent_id/vaults/:vault_id'],
  ['DELETE', '/external_agent_stub/:agent_id/vaults/:vault_id'],
  ['POST', '/sessions'],
  ['POST', '/sessions/query'],
  ['GET', '/sessions/:session_id'],
  ['POST', '/sessions/:session_id/cancel'],
  ['POST', '/sessions/:session_id/events/query'],
  ['GET', '/async_tasks/:task_id'],
  ['POST', '/blocks/meeting_notes'],
  ['POST', '/blocks/meeting_notes/query'],
];

export function addNotEmulated(endpoints: Endpoints): void {
  for (const [method, path] of NOT_EMULATED)
    endpoints.add(method, path, () => {
      throw new ApiError(501, 'not_implemented', `The sandbox does not emulate ${method} /v1${path}.`);
    });
}
