import { useHealth } from '../../api/health.ts';
import { Show } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Database } from './database.tsx';
import { Instance } from './instance.tsx';
import { KeptTables } from './kept-tables.tsx';
import { KeysOfService } from './keys-of-service.tsx';
import { Problems } from './problems-list.tsx';
import { ProductionReadiness } from './production-readiness.tsx';

/** How the service fares: what is wrong first, then what it is made of. */
export function HealthPage() {
  const loaded = useHealth();
  return (
    <Page
      title="Health"
      about="How the service fares, what it keeps for how long, and what to do where something is wrong."
      actions={
        <button type="button" disabled={loaded.isLoading} onClick={loaded.reload}>
          {loaded.isLoading ? 'Looking…' : 'Look again'}
        </button>
      }
    >
      <Show of={loaded}>
        {(health) => (
          <div class="stack">
            <Problems health={health} />
            <div class="columns">
              <Instance health={health} />
              <Database database={health.database} />
              <KeysOfService rootKey={health.rootKey} dataKeys={health.dataKeys} />
              <ProductionReadiness production={health.production} />
            </div>
            <KeptTables kept={health.kept} />
          </div>
        )}
      </Show>
    </Page>
  );
}
