import { type Health, useHealth } from '../../api/health.ts';
import { type ApplicationOverview, loadOverview } from '../../api/overview.ts';
import { mayChange } from '../../api/session.ts';
import { applications, useApplicationId } from '../../application-choice.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PATHS } from '../../paths.ts';
import { problemsOf } from '../../words/health.ts';
import { Attention } from './attention.tsx';
import { Day } from './day.tsx';
import { FirstSteps } from './first-steps.tsx';

const Problems = ({ health }: { readonly health: Health | undefined }) => {
  const problems = health ? problemsOf(health).map(({ problem }) => problem) : [];
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
  return (
    <>
      <Problems health={health} />
      {isNew(overview) && mayChange() ? (
        <FirstSteps overview={overview} health={health} onDone={onDone} />
      ) : (
        <>
          <Day applicationId={overview.id} day={overview.day} />
          <Attention applicationId={overview.id} connections={overview.connections} />
        </>
      )}
    </>
  );
}

function ApplicationOverviewPanels({ applicationId }: { readonly applicationId: string }) {
  const loaded = useLoaded(applicationId, (signal) => loadOverview(applicationId, signal));
  return (
    <div class="stack">
      <Show of={loaded}>{(overview) => <Summary overview={overview} onDone={loaded.reload} />}</Show>
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
