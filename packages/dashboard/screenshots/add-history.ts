import { DatabaseSync } from 'node:sqlite';

type Row = Readonly<Record<string, string | number | null>>;

interface Account {
  readonly id: string;
  readonly connectionName: string;
  readonly identifier: string;
}

interface History {
  readonly applicationId: string;
  readonly accounts: readonly Account[];
  readonly now: number;
}

const DAYS = 3;
const DAY_MS = 24 * 60 * 60_000;
const BUCKET_MS = 5 * 60_000;
const CALLS = 900;

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  calendar: ['calendar_list_events', 'calendar_create_event', 'calendar_list_calendars'],
  network: ['network_people_search', 'network_companies_search', 'network_profile_scrape'],
  notesmcp: ['notesmcp_list_meetings', 'notesmcp_get_meetings'],
  scrapermcp: ['scrapermcp_search_docs', 'scrapermcp_rag_web_browser'],
  video: ['video_channels_list', 'video_search'],
  workspace: ['workspace_pages_search', 'workspace_database_query'],
};

/** The statuses and reasons of broken accounts, by identifier. */
const BROKEN: Readonly<Record<string, readonly [status: string, reason: string | null]>> = {
  'studio@acme.example': ['reauthorization_required', 'refresh_refused'],
  'grace@acme.example': ['pending_verification', null],
  'research@acme.example': ['reauthorization_required', 'token_refused'],
};

/** A pseudo-random generator with a fixed seed, so that screenshots are reproducible. */
function createRandom(): () => number {
  let state = 20_261_122;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Most calls succeed. A few fail with an upstream error, and most fail during an outage. */
function outcomeOf(roll: number, wasDown: boolean): Row {
  if (wasDown && roll < 0.7)
    return { status: 502, error_code: 'upstream_failed', upstream_status: 503, attempts: 3 };
  if (roll < 0.03) return { status: 404, error_code: null, upstream_status: 404, attempts: 1 };
  if (roll < 0.04) return { status: 429, error_code: null, upstream_status: 429, attempts: 2 };
  return { status: 200, error_code: null, upstream_status: 200, attempts: roll < 0.07 ? 2 : 1 };
}

function callsOf({ applicationId, accounts, now }: History): readonly Row[] {
  const random = createRandom();
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  return Array.from({ length: CALLS }, (_, n) => {
    const agoMs = Math.floor(random() * DAYS * DAY_MS);
    const startedAt = now - agoMs;
    const isBusy = Math.abs(new Date(startedAt).getUTCHours() - 15) < 2;
    const { id, connectionName } = pick(accounts) ?? { id: '', connectionName: '' };
    const toolName = pick(TOOLS[connectionName] ?? []) ?? null;
    const upstreamMs = Math.round(60 + 500 * random() ** 3 + (isBusy ? 120 : 0));
    return {
      id: `exec_${String(n).padStart(24, '0')}`,
      application_id: applicationId,
      account_id: id,
      connection_name: connectionName,
      kind: toolName === null ? 'proxy' : 'tool',
      tool_name: toolName,
      method: toolName === null ? 'GET' : null,
      ...outcomeOf(random(), agoMs > DAY_MS && agoMs < DAY_MS + 90 * 60_000),
      refreshed: random() < 0.02 ? 1 : 0,
      upstream_ms: upstreamMs,
      waited_ms: 0,
      duration_ms: upstreamMs + 3,
      started_at: startedAt,
      request_id: `req_${String(n).padStart(24, '0')}`,
      service_version: '1.0.0',
    };
  });
}

function write(database: DatabaseSync, table: string, row: Row): void {
  const names = Object.keys(row);
  const sql = `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`;
  database.prepare(sql).run(...Object.values(row));
}

const boundsIn = (database: DatabaseSync): readonly number[] =>
  database
    .prepare("select name from pragma_table_info('execution_statistics') where name glob 'ms[0-9]*'")
    .all()
    .map(({ name }) => Number(String(name).slice(2)));

/** Writes the statistics that the service would have recorded for these calls. */
function writeStatistics(database: DatabaseSync, calls: readonly Row[]): void {
  const bounds = boundsIn(database);
  const groups = Map.groupBy(
    calls,
    ({ connection_name: name, started_at: at }) => `${name} ${Math.floor(Number(at) / BUCKET_MS)}`,
  );
  for (const group of groups.values()) {
    const [{ application_id = '', connection_name = '', started_at = 0 } = {}] = group;
    const longestOf = ({ duration_ms: ms }: Row) =>
      bounds.find((bound) => Number(ms) <= bound) ?? bounds.at(-1);
    write(database, 'execution_statistics', {
      application_id,
      connection_name,
      at: Number(started_at) - (Number(started_at) % BUCKET_MS),
      calls: group.length,
      errors: group.filter(({ status }) => Number(status) >= 400).length,
      ...Object.fromEntries(
        bounds.map((bound) => [`ms${bound}`, group.filter((call) => longestOf(call) === bound).length]),
      ),
    });
  }
}

/** Writes the executions and statuses of a few days into the database. */
export function addHistory(file: string, history: History): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('begin');
  const calls = callsOf(history);
  for (const call of calls) write(database, 'executions', call);
  writeStatistics(database, calls);
  const state = database.prepare('update accounts set status = ?, status_reason = ? where id = ?');
  for (const { id, identifier, connectionName } of history.accounts) {
    const [status, reason] = (connectionName !== 'calendar' && BROKEN[identifier]) || [];
    if (status !== undefined) state.run(status, reason ?? null, id);
  }
  database.exec(
    'update accounts set used_at = (select max(started_at) from executions where account_id = accounts.id)',
  );
  // An endpoint counts as failing after a minute.
  database.exec('update webhook_endpoints set failing_since = failing_since - 7200000');
  database.exec('commit');
  database.close();
}
