import { expect, test } from 'vitest';
import { createClientMetadata } from './client-metadata.js';

const ID = `conn_${'0a'.repeat(12)}`;

test('the client metadata of a connection contains what an authorization server needs', () => {
  const { clientIdOf, documentOf } = createClientMetadata({ environmentUrl: 'https://connect.example.com' });
  expect(documentOf(ID)).toEqual({
    client_id: clientIdOf(ID),
    client_name: 'Agent connector service at connect.example.com',
    client_uri: 'https://connect.example.com',
    redirect_uris: [`https://connect.example.com/sso/v1/oauth/${ID}/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  });
});

test.each([
  'http://connect.example.com',
  'https://connect.example.com:8443',
  'https://localhost',
  'https://svc.localhost',
  'https://svc.local',
  'https://svc.internal',
  'https://intranet',
  'https://127.0.0.1',
  'https://10.0.0.1',
  'https://[::1]',
])('no client metadata is published at %s, which no authorization server can reach', (environmentUrl) => {
  const { clientIdOf, documentOf } = createClientMetadata({ environmentUrl });
  expect([clientIdOf(ID), documentOf(ID)]).toEqual([undefined, undefined]);
});

test.each(['conn_1', 'acct_0a0a0a0a0a0a0a0a0a0a0a0a', `${ID}/../x`, `${ID}\n`, ''])(
  'no client metadata is published for the invalid connection id %j',
  (id) => {
    const { documentOf } = createClientMetadata({ environmentUrl: 'https://connect.example.com' });
    expect(documentOf(id)).toBeUndefined();
  },
);

test('no client metadata is published with clientMetadataUrl "none"', () => {
  const environmentUrl = 'https://connect.example.com';
  const { clientIdOf, documentOf } = createClientMetadata({ environmentUrl, clientMetadataUrl: 'none' });
  expect([clientIdOf(ID), documentOf(ID)]).toEqual([undefined, undefined]);
});
