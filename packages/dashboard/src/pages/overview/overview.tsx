import { type Health, useHealth } from '../../api/health.ts';
import { type ApplicationOverview, loadOverview } from '../../api/overview.ts';
import { loadProblems, type Problems } from '../../api/problems.ts';
import { mayChange } from '../../api/session.ts';
import { applications, useApplicationId } from '../../application-choice.tsx';
import { Show, useLive, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PATHS } from '../../paths.ts';
import { problemsOf } from '../../words/health.ts';
import { FailedWatches } from '../accounts/failed-watches.tsx';
import { TroubledEndpoints } from '../webhooks/troubled-endpoints.tsx';
import { Attention } from './attention.tsx';
import { Day } from './day.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Waiting } from './waiting.tsx';

const REFRESH_MS = 15_000;

interface ServiceProblemsProps {
  readonly health: Health | undefined;
  readonly problems: Problems;
}

const ServiceProblems = ({ health, problems: { slowDatabase } }: ServiceProblemsProps) => {
  const problems = problemsOf({ health, slowDatabase }).map(({ problem }) => problem);
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      <h2>The service has problems</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <a href={PATHS.health}>Show health</a>
    </Notice>
  );
};

const isNew = ({ account, hasCalled }: ApplicationOverview): boolean => account === undefined || !hasCalled;

interface SummaryProps {
  readonly overview: ApplicationOverview;
  readonly onDone: () => void;
}

function Summary({ overview, onDone }: SummaryProps) {
  // Loads the health report in parallel, so that the rest of the page does not wait for it.
  const health = useHealth().value;
  const { id, connections, day } = overview;
  const { value: problems, error } = useLive(overview.problems, (signal) => loadProblems(id, signal));
  const attention = (
    <Attention applicationId={id} connections={connections} problems={problems.connections} />
  );
  const isTroubled = problems.connections.length > 0;
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <ServiceProblems health={health} problems={problems} />
      <Waiting applicationId={id} count={problems.waitingApprovals} />
      {isTroubled && attention}
      <TroubledEndpoints endpoints={problems.webhookEndpoints} />
      <FailedWatches watches={problems.watches} />
      {isNew(overview) && mayChange() ? (
        <FirstSteps overview={overview} health={health} onDone={onDone} />
      ) : (
        <>
          <Day applicationId={id} day={day} />
          {!isTroubled && attention}
        </>
      )}
    </>
  );
}

function ApplicationOverviewPanels({ applicationId }: { readonly applicationId: string }) {
  const loaded = useLoaded(applicationId, (signal) => loadOverview(applicationId, signal));
  useRefresh(loaded, REFRESH_MS);
  // The summary shows the error of a failed reload, because it reloads the problems more often.
  const shown = loaded.value === undefined ? loaded : { ...loaded, error: undefined };
  return (
    <div class="stack">
      <Show of={shown}>{(overview) => <Summary overview={overview} onDone={loaded.reload} />}</Show>
    </div>
  );
}

export function Overview() {
  const applicationId = useApplicationId();
  const name = applications.value?.find(({ id }) => id === applicationId)?.name;
  return (
    <Page
      title="Overview"
      about={
        name && `Recent calls of the application “${name}”, and connections and accounts that need attention.`
      }
    >
      {applicationId !== undefined && (
        <ApplicationOverviewPanels key={applicationId} applicationId={applicationId} />
      )}
    </Page>
  );
}
