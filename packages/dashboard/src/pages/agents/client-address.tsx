import { Code, Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { shellQuoted } from '../tools/code-samples.ts';
import type { Access } from './access.ts';
import { mcpPathOf, registrationWords } from './words.ts';

interface ClientAddressProps {
  readonly applicationId: string;
  readonly access: Access;
}

export function ClientAddress({ applicationId, access: { registration } }: ClientAddressProps) {
  const url = location.origin + mcpPathOf(applicationId);
  return (
    <section class="panel">
      <h2>Connect a client</h2>
      <dl class="facts">
        <Fact title="MCP server URL">
          <Copied text={url} what="the MCP server URL" />
        </Fact>
        <Fact title="URL for one connector only">
          <code>{url}/calendar</code> for the connector “calendar”. For another connector, replace “calendar”
          with its name.
        </Fact>
        <Fact title="Client registration">{registrationWords(registration)}</Fact>
      </dl>
      <p class="soft">
        In the client, add the MCP server URL as an MCP server or a custom connector. The client then opens
        the sign-in page. If the client asks for a client ID, enter one from the list “Clients” on this page,
        and leave the secret empty.
      </p>
      <details>
        <summary>Claude Code and editors</summary>
        <div class="stack">
          <Code text={commandLine(url)} what="Command for Claude Code" />
          <p class="soft">
            For editors such as Cursor, use this configuration file, which lists the MCP servers:
          </p>
          <Code text={mcpFile(url)} what="Configuration file for an editor" />
        </div>
      </details>
    </section>
  );
}

const commandLine = (url: string): string => `claude mcp add --transport http svc ${shellQuoted(url)}`;

const mcpFile = (url: string): string => JSON.stringify({ mcpServers: { svc: { url } } }, undefined, 2);
