import { expect, test } from 'vitest';
import { operationId } from './add-open-api.js';

test.each([
  { method: 'get', path: '/v1/connections', id: 'getConnections' },
  { method: 'get', path: '/v1/connections/{connectionName}', id: 'getConnection' },
  {
    method: 'post',
    path: '/v1/connections/{connectionName}/accounts/{identifier}/authorization-link',
    id: 'postConnectionAccountAuthorizationLink',
  },
  { method: 'post', path: '/oauth/token', id: 'postOauthToken' },
  { method: 'patch', path: '/operator/v1/applications/{applicationId}', id: 'patchApplication' },
  {
    method: 'get',
    path: '/v1/proxy/{connectionName}/{identifier}/{path}',
    id: 'getProxyByConnectionNameByIdentifierByPath',
  },
  { method: 'get', path: '/v1/access/{id}', id: 'getAccessById' },
])('the operation id of $method $path is $id', ({ method, path, id }) => {
  expect(operationId(method, path)).toBe(id);
});
