import type { AccountRow, ConnectionRow, Database } from '../../../src/storage/schema.js';
import {
  ACCOUNT,
  APPLICATION,
  CONNECTION,
  EVENT,
  EXECUTION,
  FAILED_REQUEST,
  OPERATOR,
  PASSKEY,
  PENDING,
  REGISTRATION,
} from '../databases/sample-rows.js';
import { svgUrl } from '../service/logos.js';

/** Name of the property that an executed XSS payload sets on the page's window. */
export const RAN = 'scriptRan';

const run = `window.${RAN}=1`;

/**
 * XSS payloads that set `window.scriptRan` in a page that does not escape them. They cover HTML, URLs, styles and
 * templates.
 */
export const STORED_SCRIPTS: readonly string[] = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg/onload=${run}>`,
  `' autofocus tabindex=0 onfocus='${run}`,
  `" autofocus tabindex=0 onfocus="${run}`,
  `<details open ontoggle=${run}>x</details>`,
  `<iframe srcdoc="<script>parent.${RAN}=1</script>"></iframe>`,
  `<a href="javascript:${run}">x</a>`,
  `javascript:${run}`,
  `data:text/html,<script>opener.${RAN}=1</script>`,
  `</style><style>@import "javascript:${run}"</style>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `<template><script>${run}</script></template>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
];

/** Logo with scripts. Browsers do not run scripts of an SVG in an `<img>`. */
const LOGO = svgUrl(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.${RAN}=1"><script>${run}</script></svg>`,
);

const START = Date.parse('2026-11-20T09:00:00Z');

/** Casts a text to the type of a column that allows only certain values, so that any text can be stored there. */
const asWritten = <Column>(text: string): Column => text as Column;

/** Returns a URL with the script in its path, for columns that accept only URLs. */
const toUrl = (text: string): string => `https://app.example.com/${text}`;

function connectionOf(text: string): Omit<ConnectionRow, 'id' | 'applicationId'> {
  const url = toUrl(text);
  const list = JSON.stringify([text]);
  return {
    ...CONNECTION,
    // Connection names are part of URL paths and cannot contain a script. Every other text column can.
    name: 'calendar',
    connector: 'calendar',
    clientId: text,
    clientIssuer: text,
    scopes: list,
    baseUrl: url,
    authorizationEndpoint: url,
    tokenEndpoint: url,
    revocationEndpoint: url,
    statusReason: asWritten(text),
  };
}

const accountOf = (text: string): Omit<AccountRow, 'id' | 'applicationId' | 'connectionId'> => ({
  ...ACCOUNT,
  identifier: text,
  status: 'reauthorization_required',
  statusReason: asWritten(text),
  scopes: JSON.stringify([text]),
  wantedScopes: JSON.stringify([text]),
  subject: text,
  issuer: text,
});

async function storeOne(database: Database, text: string, index: number): Promise<string> {
  const [applicationId, at] = [`app_script_${index}`, START + index];
  const connection = { ...connectionOf(text), id: `conn_script_${index}`, applicationId };
  const ofConnection = { applicationId, connectionId: connection.id };
  const account = { ...accountOf(text), id: `acct_script_${index}`, ...ofConnection, identifierKey: text };
  const ofAccount = { ...ofConnection, accountId: account.id };
  const names = {
    name: text,
    verifyUrl: toUrl(text),
    redirectUrls: JSON.stringify([toUrl(text)]),
    logo: LOGO,
  };
  const cause = JSON.stringify({
    reason: text,
    fields: [{ field: text, rule: text }],
    upstreamCode: text,
    upstreamMessage: text,
  });
  const requests = JSON.stringify([{ ms: 1, pauseMs: 0, failure: text }]);
  const named = { connectionName: text, identifier: text, toolName: text, method: text, path: text };
  const called = { ...named, errorCode: text, requestId: text, cause, requests };
  const texts = { actor: text, action: text, object: text, reason: text, requestId: text, address: text };
  const registered = { ...REGISTRATION, ...ofConnection, issuer: text, redirectUri: text, clientId: text };
  const waiting = { ...PENDING, ...ofAccount, requestDigest: text, subject: text, issuer: text };
  const execution = { ...EXECUTION, applicationId, accountId: account.id, ...called, startedAt: at };
  const failed = {
    ...FAILED_REQUEST,
    applicationId,
    actor: text,
    operation: text,
    errorCode: text,
    cause,
    at,
  };
  const inserts = [
    database
      .insertInto('applications')
      .values({ ...APPLICATION, id: applicationId, ...names, createdAt: at }),
    database.insertInto('failedRequests').values({ ...failed, requestId: `req_script_${index}` }),
    database.insertInto('connections').values(connection),
    database.insertInto('accounts').values(account),
    database.insertInto('clientRegistrations').values({ ...registered, id: `reg_script_${index}` }),
    database.insertInto('pendingApprovals').values({ ...waiting, id: `pend_script_${index}` }),
    database.insertInto('executions').values({ ...execution, id: `exec_script_${index}`, status: 500 }),
    database
      .insertInto('auditEvents')
      .values({ ...EVENT, id: `audit_script_${index}`, at, applicationId, ...texts }),
    database
      .insertInto('operators')
      .values({ ...OPERATOR, id: `op_script_${index}`, name: text, createdAt: at }),
  ];
  for (const insert of inserts) await insert.execute();
  return applicationId;
}

/**
 * Stores each XSS payload, without validation, in every text field that a page shows. It creates an application with a
 * connection, an account, a call and an audit event, an operator, and a passkey of the existing operator. Returns the
 * IDs of the applications.
 */
export async function storeScripts(database: Database): Promise<readonly string[]> {
  const ids: string[] = [];
  const owner = await database.selectFrom('operators').select('id').executeTakeFirstOrThrow();
  for (const [index, text] of STORED_SCRIPTS.entries()) {
    ids.push(await storeOne(database, text, index));
    const passkey = { ...PASSKEY, id: `passkey_script_${index}`, operatorId: owner.id, name: text };
    await database
      .insertInto('operatorPasskeys')
      .values({ ...passkey, credentialId: passkey.id })
      .execute();
  }
  return ids;
}
