import { notFound } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { PERSON_USERS, personUser, workspaceOf } from './identity.js';
import { listPage, pagingShapes, readPaging, readQuery } from './paging.js';
import { text } from './shape.js';

export function addUsers(endpoints: Endpoints): void {
  endpoints.add('GET', '/users', async (call) => {
    const users = [...PERSON_USERS, await botUser(call)];
    return listPage(call, users, {
      type: 'user',
      paging: readPaging(call),
      idOf: ({ id }) => id,
      present: (user) => user,
    });
  });
  // Lists no custom emojis, because they can be created only in the app.
  endpoints.add('GET', '/custom_emojis', (call) => {
    readQuery(call, { ...pagingShapes, name: text() });
    const empty = { results: [], next_cursor: null, has_more: false };
    return { object: 'list', type: 'custom_emoji', ...empty, request_id: call.requestId };
  });
  endpoints.add('GET', '/users/me', async (call) => ({
    ...(await botUser(call)),
    request_id: call.requestId,
  }));
  endpoints.add('GET', '/users/:user_id', async (call) => {
    const id = call.id('user_id');
    const match = [...PERSON_USERS, await botUser(call)].find((user) => user.id === id);
    if (match === undefined) throw notFound('user', id);
    return match;
  });
}

async function botUser(call: Call) {
  const { person } = call.access;
  const { id, name } = workspaceOf(person);
  return {
    object: 'user',
    id: call.bot,
    name: await call.clientName(),
    avatar_url: null,
    type: 'bot',
    bot: {
      owner: { type: 'user', user: personUser(person) },
      workspace_name: name,
      workspace_id: id,
      workspace_limits: { max_file_upload_size_in_bytes: 5 * 1024 * 1024 },
    },
  };
}
