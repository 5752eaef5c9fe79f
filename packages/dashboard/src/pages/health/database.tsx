import type { Health } from '../../api/health.ts';
import { sizeOf } from './words.ts';

const NAMES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export const Database = ({
  database: { kind, version, sizeBytes, migrations },
}: {
  readonly database: Health['database'];
}) => (
  <section class="panel">
    <h2>Database</h2>
    <dl class="facts">
      <dt>Kind</dt>
      <dd>
        {NAMES[kind] ?? kind} {version}
      </dd>
      <dt>Size</dt>
      <dd>{sizeOf(sizeBytes)}</dd>
      <dt>Migrations</dt>
      <dd>
        {migrations.applied.length} applied, {migrations.pending.length || 'none'} pending
        <details>
          <summary>Which</summary>
          <ul>
            {migrations.applied.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
            {migrations.pending.map((name) => (
              <li key={name}>
                <code>{name}</code>: pending
              </li>
            ))}
          </ul>
        </details>
      </dd>
    </dl>
  </section>
);
