// The suite runs this program as its client, once per task. It passes the task to the service under test and reports the result.
import { request } from 'node:http';

const [control, serverUrl] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;

request(control, { method: 'POST' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).end(
  JSON.stringify({ scenario, serverUrl, context: JSON.parse(context) }),
);
