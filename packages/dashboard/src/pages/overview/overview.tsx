import { call } from '../../api/call.ts';
import { type Health, useHealth } from '../../api/health.ts';
import { mayChange } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { applications, useApplicationId } from '../../application-choice.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/show.tsx';
import { PATHS } from '../../paths.ts';
import { problemsOf } from '../../words/health.ts';
import { Attention, loadSummaries } from './attention.tsx';
import { Day, loadDay } from './day.tsx';
import { FirstSteps, type Progress } from './first-steps.tsx';

async function loadProgress(applicationId: string, signal: AbortSignal): Promise<Progress> {
  const path = { applicationId };
  const options = { signal };
  const [connections, accounts, executions] = await Promise.all([
    call(
      'GET /operator/v1/applications/{applicationId}/connections',
      { path, query: { pageSize: 50 } },
      options,
    ),
    call(
      'GET /operator/v1/applications/{applicationId}/accounts',
      { path, query: { status: 'authorized', pageSize: 1 } },
      options,
    ),
    call(
      'GET /operator/v1/applications/{applicationId}/executions',
      { path, query: { pageSize: 1 } },
      options,
    ),
  ]);
  return {
    connections: connections.items,
    account: accounts.items[0],
    hasCalled: executions.items.length > 0,
  };
}

const Problems = ({ health }: { readonly health: Health | undefined }) => {
  const problems = health ? problemsOf(health).map(({ what }) => what) : [];
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      <h2>The service is not quite well</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <a href={PATHS.health}>Look at its health</a>
    </Notice>
  );
};

const isBeginning = ({ account, hasCalled }: Progress): boolean => account === undefined || !hasCalled;

function OfApplication({ applicationId }: { readonly applicationId: string }) {
  const found = useLoaded(applicationId, (signal) => loadProgress(applicationId, signal));
  // Whichever of them is shown: what is asked for at once is there at once.
  const day = useLoaded(applicationId, (signal) => loadDay(applicationId, signal));
  const summaries = useLoaded(applicationId, (signal) => loadSummaries(applicationId, signal));
  const health = useHealth().value;
  const given = { applicationId, health, onDone: found.reload };
  return (
    <div class="stack">
      <Problems health={health} />
      <Show of={found}>
        {(progress) =>
          isBeginning(progress) && mayChange() ? (
            <FirstSteps progress={progress} {...given} />
          ) : (
            <>
              <Day applicationId={applicationId} day={day} />
              <Attention
                applicationId={applicationId}
                connections={progress.connections}
                summaries={summaries}
              />
            </>
          )
        }
      </Show>
    </div>
  );
}

export function Overview() {
  const applicationId = useApplicationId();
  const name = applications.value?.find(({ id }) => id === applicationId)?.name;
  return (
    <Page title="Overview" about={name && `How “${name}” is doing, and which accounts need attention.`}>
      {applicationId !== undefined && <OfApplication key={applicationId} applicationId={applicationId} />}
    </Page>
  );
}
