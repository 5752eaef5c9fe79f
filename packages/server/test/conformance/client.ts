// What the suite runs as "the client": it hands its task to the service under test, and says how that ended.
const [control = '', serverUrl = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT = '{}' } = process.env;

const { status } = await fetch(control, {
  method: 'POST',
  body: JSON.stringify({
    scenario: MCP_CONFORMANCE_SCENARIO,
    serverUrl,
    context: JSON.parse(MCP_CONFORMANCE_CONTEXT),
  }),
});
process.exit(status === 200 ? 0 : 1);
