import { Code, Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { shellQuoted } from '../tools/code-samples.ts';
import type { Access } from './access.ts';
import { doorOf, registrationWords } from './words.ts';

interface ClientAddressProps {
  readonly applicationId: string;
  readonly access: Access;
}

/** The address to paste into a client, and whether clients may register. */
export function ClientAddress({ applicationId, access: { registration } }: ClientAddressProps) {
  const address = location.origin + doorOf(applicationId);
  return (
    <section class="panel">
      <h2>What to paste into a client</h2>
      <dl class="facts">
        <Fact title="Address of the tools">
          <Copied text={address} what="the address for MCP clients" />
        </Fact>
        <Fact title="One connector alone">
          <code>{address}/calendar</code>, or another connector’s name
        </Fact>
        <Fact title="Registration">{registrationWords(registration)}</Fact>
      </dl>
      <p class="soft">
        Paste the address where the client asks for the URL of an MCP server or of a custom connector. It
        opens the sign-in by itself; where it asks for a client ID too, give it one of those below, and no
        secret.
      </p>
      <details>
        <summary>For Claude Code and for editors</summary>
        <div class="stack">
          <Code text={commandLine(address)} what="The tools in Claude Code" />
          <p class="soft">Editors such as Cursor read this from a file.</p>
          <Code text={fileLines(address)} what="The tools in an editor" />
        </div>
      </details>
    </section>
  );
}

/** The command that adds the tools to Claude Code. */
const commandLine = (address: string): string =>
  `claude mcp add --transport http svc ${shellQuoted(address)}`;

/** The file from which editors and other MCP programs read their servers. */
const fileLines = (address: string): string =>
  JSON.stringify({ mcpServers: { svc: { url: address } } }, undefined, 2);
