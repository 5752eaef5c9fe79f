import { useRoute } from 'preact-iso';
import { type Connector, loadConnectors, loadToolSummaries, type ToolSummary } from '../../api/catalogue.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { ALL, SelectField, TextField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Page } from '../../parts/page.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import '../../styles/tools.css';
import { EFFECTS, findTools, firstSentence } from './find-tools.ts';
import { ToolMarks } from './tool-marks.tsx';

async function loadCatalogue() {
  const [connectors, all] = await Promise.all([loadConnectors(), loadToolSummaries()]);
  return { connectors: connectors.filter((connector) => connector.tools.length > 0), all };
}

export function Tools() {
  const loaded = useLoaded('tools', loadCatalogue);
  return (
    <Page
      title="Tools"
      about="Upstream operations that you can run for a connected account. Open a tool to read its description and run it."
    >
      <Show of={loaded}>{({ connectors, all }) => <Catalogue connectors={connectors} all={all} />}</Show>
    </Page>
  );
}

interface CatalogueProps {
  readonly connectors: readonly Connector[];
  readonly all: readonly ToolSummary[];
}

const FILTERS = ['words', 'connector', 'effect', 'accountId'] as const;

function Catalogue({ connectors, all }: CatalogueProps) {
  const { filters, setFilters, field } = useAddressFilters(FILTERS);
  const matches = findTools(all, filters);
  return (
    <>
      <search class="filters">
        <TextField label="Find tools" type="search" placeholder="create event" {...field('words')} />
        <SelectField
          label="Connector"
          {...field('connector')}
          choices={[ALL, ...connectors.map(({ id, title }) => ({ value: id, title }))]}
        />
        <SelectField label="Effect on data" {...field('effect')} choices={[ALL, ...EFFECTS]} />
      </search>
      <p class="soft" role="status">
        {matches.length === all.length ? `${all.length} tools` : `${matches.length} of ${all.length} tools`}
      </p>
      {matches.length === 0 && (
        <Empty text="No tool matches these filters.">
          <button type="button" onClick={() => setFilters({ words: '', connector: '', effect: '' })}>
            Show all tools
          </button>
        </Empty>
      )}
      {connectors.map((connector) => (
        <ToolsOf
          key={connector.id}
          {...connector}
          accountId={filters.accountId}
          matches={matches.filter((tool) => tool.connector === connector.id)}
        />
      ))}
    </>
  );
}

interface ToolsOfProps extends Connector {
  readonly matches: readonly ToolSummary[];
  /** Id of the connected account that the links to tools preselect. Empty if no account is preselected. */
  readonly accountId: string;
}

function ToolsOf({ title, logo, matches, accountId }: ToolsOfProps) {
  const { applicationId } = useRoute().params;
  if (matches.length === 0) return null;
  return (
    <section class="stack">
      <h2 class="row">
        <Logo svg={logo} small /> {title}
      </h2>
      <ul class="tools">
        {matches.map((tool) => (
          <li key={tool.name}>
            <div class="row">
              <a href={withQuery(hrefOf(PATHS.tool, { applicationId, toolName: tool.name }), { accountId })}>
                {tool.title}
              </a>
              <code class="soft">{tool.name}</code>
              <ToolMarks hints={tool.hints} />
            </div>
            <p class="soft">{firstSentence(tool.description)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
