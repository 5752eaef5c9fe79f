import type { Health } from '../../api/health.ts';
import { Time } from '../../parts/time.tsx';
import { grouped } from '../../words/numbers.ts';

/** The process that answered. */
export const Instance = ({
  health: { version, node, startedAt, sandbox, executions },
}: {
  readonly health: Health;
}) => (
  <section class="panel">
    <h2>Service</h2>
    <dl class="facts">
      <dt>Version</dt>
      <dd>{version}</dd>
      <dt>Node.js</dt>
      <dd>{node}</dd>
      <dt>Started</dt>
      <dd>
        <Time at={startedAt} />
      </dd>
      <dt>Sandbox</dt>
      <dd>
        {sandbox === null ? (
          'Off: the connectors reach the real services'
        ) : (
          <>
            On, at <code>{sandbox.url}</code>: its services are emulated
          </>
        )}
      </dd>
      <dt>Executions since the start</dt>
      <dd>
        {grouped(executions.written)} recorded, {grouped(executions.waiting)} waiting,{' '}
        {grouped(executions.dropped)} lost
      </dd>
    </dl>
  </section>
);
