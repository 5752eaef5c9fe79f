import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { type Connector, type Tool, withConnectors } from '../../api/catalogue.ts';
import { Fact } from '../../parts/fact.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Page } from '../../parts/page.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import '../../styles/playground.css';
import { firstSentence } from './find-tools.ts';
import { Playground } from './playground.tsx';
import { ToolMarks } from './tool-marks.tsx';

async function load(name: string, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(
    call('GET /operator/v1/tools/{name}', { path: { name } }, { signal }),
  );
  return { tool: value, connector: connectorOf(value.connector) };
}

export function ToolPage() {
  const { applicationId = '', toolName = '' } = useRoute().params;
  const loaded = useLoaded(toolName, (signal) => load(toolName, signal));
  const tool = loaded.value?.tool;
  return (
    <Page
      title={tool?.title ?? toolName}
      about={tool && <code>{tool.name}</code>}
      trail={[{ title: 'Tools', href: hrefOf(PATHS.tools, { applicationId }) }]}
    >
      <Show of={loaded}>
        {({ tool: loadedTool, connector }) => (
          <>
            <About tool={loadedTool} connector={connector} />
            <Playground key={loadedTool.name} tool={loadedTool} applicationId={applicationId} />
          </>
        )}
      </Show>
    </Page>
  );
}

interface AboutProps {
  readonly tool: Tool;
  readonly connector: Connector | undefined;
}

function About({ tool, connector }: AboutProps) {
  const { hints, scopes, versions = [] } = tool;
  return (
    <section class="stack" aria-label="Description">
      <div class="row">
        <ToolMarks hints={hints} />
        {hints.idempotent && !hints.readOnly && <span class="tag">Safe to repeat</span>}
        {connector && <span class="tag">{connector.title}</span>}
        {versions.map(({ schemaVersion, toolVersion, status }) => (
          <span class="tag" key={`${schemaVersion} ${toolVersion}`}>
            Schema version {schemaVersion}, tool version {toolVersion}
            {status !== 'current' && ` (${status})`}
          </span>
        ))}
      </div>
      <Description text={tool.description} />
      {scopes.length > 0 && <Scopes tool={tool} connector={connector} />}
    </section>
  );
}

const LONG = 200;

/** Shows the first sentence of a long description, and collapses the rest. */
function Description({ text }: { readonly text: string }) {
  const first = firstSentence(text);
  const rest = text.slice(first.length).trim();
  if (text.length <= LONG || rest === '') return <Markdown text={text} />;
  return (
    <div>
      <Markdown text={first} />
      <details>
        <summary>More about this tool</summary>
        <Markdown text={rest} />
      </details>
    </div>
  );
}

const Scopes = ({ tool: { scopes }, connector }: AboutProps) => (
  <details>
    <summary>{scopes.length === 1 ? 'Required scope' : 'Requires one of these scopes'}</summary>
    <dl class="facts">
      {scopes.map((scope) => (
        <Fact title={<code>{scope}</code>}>
          {connector?.scopes.find(({ name }) => name === scope)?.description}
        </Fact>
      ))}
    </dl>
  </details>
);
