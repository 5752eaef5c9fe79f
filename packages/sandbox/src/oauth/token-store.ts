import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../clock.js';

export type TokenStore = ReturnType<typeof createTokenStore>;

/** Object of the authorization server, such as a grant, a token or a client. */
export interface Entry {
  readonly model: string;
  readonly id: string;
  payload: AdapterPayload;
  /**
   * Times in seconds on the sandbox clock. The payload contains real times, because the authorization server reads the
   * real clock.
   */
  times: Times;
}

const TIMES = ['iat', 'exp', 'iiat', 'consumed'] as const;
type Times = { [Name in (typeof TIMES)[number]]?: number };

interface TokenStoreOptions {
  readonly acceptsUsedRefreshTokens?: boolean | undefined;
  readonly mostRefreshTokens?: number | undefined;
  /** Entries that an earlier sandbox saved. */
  readonly saved?: readonly Entry[];
  readonly onChange?: () => void;
  readonly realNow?: () => number;
}

export function createTokenStore(clock: Clock, options: TokenStoreOptions = {}) {
  const { acceptsUsedRefreshTokens = false, mostRefreshTokens, realNow = Date.now } = options;
  const { saved = [], onChange = () => {} } = options;
  const entries = new Map(saved.map((entry) => [`${entry.model}:${entry.id}`, entry]));
  const shift = () => Math.round((clock.now() - realNow()) / 1000);
  const now = () => Math.floor(clock.now() / 1000);
  const revokeByGrantId = (grantId: string) => {
    for (const [key, entry] of entries) if (entry.payload.grantId === grantId) entries.delete(key);
  };
  const dropGrant = (grantId: string) => {
    revokeByGrantId(grantId);
    entries.delete(`Grant:${grantId}`);
  };
  return {
    adapter(model: string): Adapter {
      const most = model === 'RefreshToken' ? mostRefreshTokens : undefined;
      const own = createAdapter(model, { entries, shift, now, revokeByGrantId, dropGrant, most });
      const adapter = reportWrites(own, onChange);
      return model === 'RefreshToken' && acceptsUsedRefreshTokens
        ? { ...adapter, consume: async () => {} }
        : adapter;
    },
    expireAccessTokens(): void {
      for (const entry of entries.values()) if (entry.model === 'AccessToken') entry.times.exp = now();
      onChange();
    },
    /** Returns the entries that survive a restart: all except expired entries, sessions and unfinished consents. */
    lasting: (): readonly Entry[] =>
      [...entries.values()].filter(
        ({ model, times: { exp = Number.POSITIVE_INFINITY } }) => !PASSING.includes(model) && exp > now(),
      ),
    hasGrant: (grantId: string) => entries.has(`Grant:${grantId}`),
    dropGrant(grantId: string): void {
      dropGrant(grantId);
      onChange();
    },
    /** Deletes grants, authorization codes, tokens and unfinished consents. Registered clients stay. */
    dropAll(): void {
      for (const [key, entry] of entries) if (entry.model !== 'Client') entries.delete(key);
      onChange();
    },
  };
}

const PASSING: readonly string[] = ['Session', 'Interaction'];

/** Calls `onChange` after each write of the authorization server. */
function reportWrites(adapter: Adapter, onChange: () => void): Adapter {
  const reported =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      write(...args).finally(onChange);
  return {
    ...adapter,
    upsert: reported(adapter.upsert),
    consume: reported(adapter.consume),
    destroy: reported(adapter.destroy),
    revokeByGrantId: reported(adapter.revokeByGrantId),
  };
}

interface Shelf {
  readonly entries: Map<string, Entry>;
  shift(): number;
  now(): number;
  revokeByGrantId(grantId: string): void;
  dropGrant(grantId: string): void;
  readonly most: number | undefined;
}

/** Deletes the oldest entries of one person and one application above the limit, without an error. */
function dropOldest({ entries, most = Number.POSITIVE_INFINITY }: Shelf, newest: Entry): void {
  const alike = [...entries].filter(
    ([, { model, payload }]) =>
      model === newest.model &&
      payload.accountId === newest.payload.accountId &&
      payload.clientId === newest.payload.clientId,
  );
  for (const [key] of alike.slice(0, Math.max(0, alike.length - most))) entries.delete(key);
}

function createAdapter(model: string, shelf: Shelf): Adapter {
  const { entries } = shelf;
  const find = async (id: string) => toRealTime(entries.get(`${model}:${id}`), shelf.shift());
  const findBy = async (field: 'uid' | 'userCode', value: string) => {
    const match = [...entries.values()].find(
      (entry) => entry.model === model && entry.payload[field] === value,
    );
    return toRealTime(match, shelf.shift());
  };
  return {
    find,
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (code) => findBy('userCode', code),
    async upsert(id, payload) {
      const times = toSandboxTime(payload, shelf.shift());
      const entry: Entry = { model, id, payload: structuredClone(payload), times };
      entries.set(`${model}:${id}`, entry);
      if (shelf.most !== undefined) dropOldest(shelf, entry);
    },
    // Two concurrent requests can both read an unused token. The first one consumes the token, the second one counts as
    // reuse.
    async consume(id) {
      const entry = entries.get(`${model}:${id}`);
      if (entry !== undefined && entry.times.consumed === undefined) {
        entry.times.consumed = shelf.now();
        return;
      }
      if (entry?.payload.grantId !== undefined) shelf.dropGrant(entry.payload.grantId);
      throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      shelf.revokeByGrantId(grantId);
    },
  };
}

function toSandboxTime(payload: AdapterPayload, shift: number): Times {
  const times: Times = {};
  for (const name of TIMES) {
    const value = payload[name];
    if (typeof value === 'number') times[name] = value + shift;
  }
  return times;
}

function toRealTime(entry: Entry | undefined, shift: number): AdapterPayload | undefined {
  if (entry === undefined) return undefined;
  const payload = structuredClone(entry.payload);
  for (const name of TIMES) {
    const value = entry.times[name];
    if (value !== undefined) payload[name] = value - shift;
  }
  // Resetting the clock can leave tokens with an issue time in the future. The authorization server would reject them.
  if (payload.iat !== undefined) payload.iat = Math.min(payload.iat, Math.floor(Date.now() / 1000));
  return payload;
}
