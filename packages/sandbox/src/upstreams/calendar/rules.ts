import { ApiError, notFound } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { isObject } from '../../json.js';
import { existing } from '../../refusal.js';
import { invalid, required } from './api-error.js';
import { type Call, SYNCED, serviceMethods } from './call.js';
import { etagOf, type Fields } from './state.js';
import { writeSyncToken } from './tokens.js';

const ALL = '/calendars/:calendarId/acl';
const ONE = `${ALL}/:ruleId`;
const NOTIFICATION = { sendNotifications: 'flag' } as const;

export const ruleMethods = serviceMethods('Acl', ['calendar'], {
  List: { path: ALL, parameters: { ...SYNCED, showDeleted: 'flag' }, handle: listRules },
  Insert: { path: ALL, parameters: NOTIFICATION, handle: insertRule },
  Get: { path: ONE, handle: (call) => ({ body: present(call, findRule(call)) }) },
  Patch: { path: ONE, parameters: NOTIFICATION, handle: changeRule },
  Update: { path: ONE, parameters: NOTIFICATION, handle: changeRule },
  Delete: { path: ONE, handle: deleteRule },
});

const ROLES = ['none', 'freeBusyReader', 'reader', 'writer', 'owner'];
const SCOPE_TYPES = ['default', 'user', 'group', 'domain'];

function ownRules(call: Call): Map<string, Fields> {
  const { accessRole, rules } = call.calendar();
  if (accessRole !== 'owner') throw new ApiError(403, 'forbidden', 'Forbidden');
  return rules;
}

const findRule = (call: Call): Fields => existing(ownRules(call).get(call.part('ruleId')), notFound);

const present = (call: Call, rule: Fields): Fields => ({
  kind: 'calendar#aclRule',
  etag: etagOf(call.calendar().updated, 0),
  ...rule,
});

function listRules(call: Call): Outcome {
  const { state } = call;
  const items = [...ownRules(call).values()].map((rule) => present(call, rule));
  const etag = etagOf(call.calendar().updated, items.length);
  const nextSyncToken = writeSyncToken(state.lastChange(), state.now());
  return { body: { kind: 'calendar#acl', etag, nextSyncToken, items } };
}

function readRole({ role }: Readonly<Fields>): string {
  if (role === undefined) throw required('Missing role.');
  if (!ROLES.includes(String(role))) throw invalid(`Invalid value for: role: ${role} is not a valid value`);
  return String(role);
}

function insertRule(call: Call): Outcome {
  const rules = ownRules(call);
  const { type, value } = isObject(call.body.scope) ? call.body.scope : {};
  if (type === undefined) throw required('Missing scope type.');
  if (!SCOPE_TYPES.includes(String(type))) throw invalid('Invalid scope type.');
  if (type !== 'default' && typeof value !== 'string') throw required('Missing scope value.');
  const id = type === 'default' ? 'default' : `${type}:${value}`;
  const scope = type === 'default' ? { type } : { type, value };
  const rule = { id, scope, role: readRole(call.body) };
  rules.set(id, rule);
  return { body: present(call, rule) };
}

function changeRule(call: Call): Outcome {
  const rule = findRule(call);
  const changed = { ...rule, role: readRole({ role: rule.role, ...call.body }) };
  ownRules(call).set(String(rule.id), changed);
  return { body: present(call, changed) };
}

function deleteRule(call: Call): Outcome {
  const { id } = findRule(call);
  if (id === `user:${call.state.person.email}`)
    throw new ApiError(403, 'cannotChangeOwnAcl', 'You cannot change your own access level.');
  ownRules(call).delete(String(id));
  return { status: 204 };
}
